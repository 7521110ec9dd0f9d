/** A clock that is ahead by more makes events later than they are, and reads of the past wrong. */
const MAX_AHEAD_MS = 5_000;
/** The header `date` has whole seconds. */
const CUT_OFF_MS = 999;

/** How far the clock of this process is ahead of the event store's, as its answers say. */
export class ServerClock {
  #aheadMs = 0;

  /** The time in ms by which this process is ahead at least; 0 if it is not, or if no answer has said so yet. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  get isAhead(): boolean {
    return this.#aheadMs > MAX_AHEAD_MS;
  }

  /** Notes the header `date` of an answer. @param sentAt when the request was sent, by this process */
  note(date: string | undefined, sentAt: number): void {
    const time = Date.parse(date ?? '');
    if (!Number.isNaN(time)) this.#aheadMs = Math.max(0, sentAt - time - CUT_OFF_MS);
  }
}
