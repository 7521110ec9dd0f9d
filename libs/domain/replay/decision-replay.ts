import type { Decider, DomainEvent } from '../decider.js';
import { sameJson } from '../determinism/canonical-json.js';
import { eventId } from '../determinism/ids.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import type { JsonObject } from '../json.js';
import type { RecordedEvent } from '../recorded-event.js';

/** An event, either computed by the rules or recorded. */
type SeededEvent = {
  readonly type: string;
  readonly data: JsonObject;
  readonly event_id: string;
  readonly seeded_ts: string;
};

/** The first difference between a replay and the record; null stands for a missing event. */
export interface Divergence {
  readonly number: number;
  readonly expected: SeededEvent | { readonly refused: string } | { readonly hash: string } | null;
  readonly actual: SeededEvent | { readonly hash: string } | null;
}

/**
 * Decides a stream again: turns each input back into its command and decides the command on the state so
 * far. Every recorded event must equal the computed one, including its seeded id and time (SPEC X1).
 */
export class DecisionReplay<State, Command, Event extends DomainEvent> {
  #state: State;
  #number = 0;
  #base: number | undefined;
  /**
   * The events that the last decision, or `owed`, computed. The recorded events have matched the first
   * `#matched` of them so far.
   */
  #due: readonly Event[] = [];
  #matched = 0;
  #dueIsOwed = false;

  constructor(
    private readonly decider: Decider<State, Command, Event>,
    private readonly stream: string,
  ) {
    this.#state = decider.initialState(stream);
  }

  get state(): State {
    return this.#state;
  }

  /** Checks the next event, after upcasting. Returns its difference from the computed event, or undefined. */
  next(event: Event, { metadata }: RecordedEvent): Divergence | undefined {
    const number = this.#number;
    const { event_id, seeded_ts } = metadata;
    const actual = { type: event.type, data: event.data, event_id, seeded_ts };
    const expected = this.#expectedFor(event);
    if (!(expected !== null && 'type' in expected && sameEvent(expected, actual)))
      return { number, expected, actual };
    this.#matched += 1;
    this.#state = this.decider.evolve(this.#state, event);
    this.#number += 1;
    return undefined;
  }

  /** Returns the first event that is missing from the last append; undefined if the append is complete. */
  missing(): Divergence | undefined {
    const due = this.#due[this.#matched];
    if (due === undefined || this.#dueIsOwed) return undefined;
    return { number: this.#number, expected: this.#seeded(due), actual: null };
  }

  /**
   * Returns the number of outcomes that the stream does not have yet, such as the episodes of a job that
   * has just ended.
   */
  owed(): number {
    return this.decider.owed?.(this.#state).length ?? 0;
  }

  #expectedFor(event: Event): Divergence['expected'] {
    try {
      if (this.#matched === this.#due.length) this.#decide(event);
      const due = this.#due[this.#matched];
      return due === undefined ? null : this.#seeded(due);
    } catch (error) {
      // On a tampered record the rules can throw; the replay reports this as a difference.
      return { refused: error instanceof Refusal ? error.code : 'INTERNAL' };
    }
  }

  #decide(event: Event): void {
    const isInput = this.decider.schemas[event.type as Event['type']].kind === 'input';
    this.#dueIsOwed = !isInput;
    this.#matched = 0;
    this.#due = isInput
      ? this.decider.decide(this.decider.commandOf(event), this.#state)
      : (this.decider.owed?.(this.#state) ?? []);
  }

  #seeded(event: Event): SeededEvent {
    const { stream } = this;
    if (this.#base === undefined) {
      const { seed, epoch } = this.decider.seedOf?.(stream, event) ?? { seed: stream };
      this.#base = seededBase(seed, epoch);
    }
    return {
      type: event.type,
      data: event.data,
      event_id: eventId(stream, this.#number, event.type),
      seeded_ts: seededTimestamp(this.#base, this.#number),
    };
  }
}

const sameEvent = (left: SeededEvent, right: SeededEvent): boolean =>
  left.type === right.type &&
  left.event_id === right.event_id &&
  left.seeded_ts === right.seeded_ts &&
  sameJson(left.data, right.data);
