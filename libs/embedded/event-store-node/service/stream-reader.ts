import { type Run } from '../storage/database.js';
import { type EventLog, missingEvent } from '../storage/event-log.js';
import { type StreamState } from '../storage/stream-state.js';
import { type Page, PageWriter } from './page.js';
import { type ReadRequest } from './requests.js';
import { caughtUp } from './responses.js';

const RUNS_AT_ONCE = 256;

/** Reads one stream. A read includes the event with the given number; a subscription starts after it. */
export class StreamReader {
  private next: number;
  private runs: readonly Run[] = [];
  private runIndex = 0;
  private isLive = false;
  private readonly name: string;
  private readonly backwards: boolean;
  private readonly end: number;

  constructor(
    private readonly log: EventLog,
    private readonly request: ReadRequest,
  ) {
    const { stream, from, backwards, count } = request;
    this.name = stream!;
    this.backwards = backwards;
    const last = this.last();
    const isSubscription = count === undefined;
    this.end = isSubscription ? Infinity : last;
    if (from === 'start') this.next = 0;
    else if (from === 'end') this.next = backwards ? last : last + 1;
    else this.next = backwards ? Math.min(from, last) : isSubscription ? from + 1 : from;
  }

  page(limit: number): Page {
    const page = new PageWriter(this.log, this.request);
    const state = this.log.stream(this.name);
    if (!state) return page.finish(true);
    const last = Math.min(this.end, this.log.lastNumber(state));
    const first = this.isLive ? 0 : this.log.firstNumber(state, last);
    if (!this.backwards) this.next = Math.max(this.next, Math.min(first, last + 1));
    const isPast = () => (this.backwards ? this.next < first : this.next > last);
    while (!isPast() && !page.isFull && page.events < limit) {
      const isAdded = page.attempt(() => {
        const position = this.positionOfNext(state);
        page.add(this.log.record(position), position);
      });
      if (!isAdded) return page.finish(false);
      this.next += this.backwards ? -1 : 1;
    }
    if (isPast() && this.isLive) this.addTombstone(page, state);
    return page.finish(isPast());
  }

  /**
   * Begins the live part of a subscription. As in EventStoreDB, it gets each new event, even if the
   * stream's metadata hides that event from reads.
   */
  caughtUp(): Buffer {
    this.isLive = true;
    return caughtUp();
  }

  private addTombstone(page: PageWriter, { tombstonedAt }: StreamState): void {
    if (tombstonedAt === undefined || tombstonedAt > this.log.durable) return;
    page.add(this.log.record(tombstonedAt), tombstonedAt);
  }

  private last(): number {
    const state = this.log.stream(this.name);
    return state ? this.log.lastNumber(state) : -1;
  }

  private positionOfNext(state: StreamState): number {
    const holds = (run: Run | undefined) =>
      run && this.next >= run.number && this.next < run.number + run.count;
    if (!holds(this.runs[this.runIndex])) this.runIndex++;
    if (!holds(this.runs[this.runIndex])) {
      this.runs = this.log.runsFrom(state, this.next, RUNS_AT_ONCE, this.backwards);
      this.runIndex = 0;
    }
    const run = this.runs[this.runIndex];
    if (!run || !holds(run)) throw missingEvent(state, this.next);
    return run.position + this.next - run.number;
  }
}
