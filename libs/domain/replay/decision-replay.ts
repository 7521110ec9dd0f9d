import type { Decider, DomainEvent } from '../decider.js';
import { sameJson } from '../determinism/canonical-json.js';
import { eventId } from '../determinism/ids.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import type { JsonObject } from '../json.js';
import type { RecordedEvent } from '../recorded-event.js';

/** An event as the rules make it, or as it was found. */
type SeededEvent = {
  readonly type: string;
  readonly data: JsonObject;
  readonly event_id: string;
  readonly seeded_ts: string;
};

/** Where a replay parts from the record; null stands for no event. */
export interface Divergence {
  readonly number: number;
  readonly expected: SeededEvent | { readonly refused: string } | { readonly hash: string } | null;
  readonly actual: SeededEvent | { readonly hash: string } | null;
}

/**
 * Decides a stream again: each input is turned back into its command and decided on the state so far, and
 * every event that follows must be the one the rules make, with its seeded id and time (SPEC X1).
 */
export class DecisionReplay<State, Command, Event extends DomainEvent> {
  #state: State;
  #number = 0;
  #base: number | undefined;
  /** What the last input, or the end, must be followed by; `#met` of it were found. */
  #due: readonly Event[] = [];
  #met = 0;
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

  /** Takes the next event, upcast; answers how it differs from what the rules make of the past. */
  next(event: Event, { metadata }: RecordedEvent): Divergence | undefined {
    const number = this.#number;
    const { event_id, seeded_ts } = metadata;
    const actual = { type: event.type, data: event.data, event_id, seeded_ts };
    const expected = this.#expectedFor(event);
    if (!(expected !== null && 'type' in expected && sameEvent(expected, actual)))
      return { number, expected, actual };
    this.#met += 1;
    this.#state = this.decider.evolve(this.#state, event);
    this.#number += 1;
    return undefined;
  }

  /** What should have followed the last event, in the same append, and did not. */
  missing(): Divergence | undefined {
    const due = this.#due[this.#met];
    if (due === undefined || this.#dueIsOwed) return undefined;
    return { number: this.#number, expected: this.#seeded(due), actual: null };
  }

  /** How many outcomes the stream has still to be given, such as the episodes of a job that just ended. */
  owed(): number {
    return this.decider.owed?.(this.#state).length ?? 0;
  }

  #expectedFor(event: Event): Divergence['expected'] {
    try {
      if (this.#met === this.#due.length) this.#decide(event);
      const due = this.#due[this.#met];
      return due === undefined ? null : this.#seeded(due);
    } catch (error) {
      // Whatever the rules make of a record that was tampered with, it is a finding and not a crash.
      return { refused: error instanceof Refusal ? error.code : 'INTERNAL' };
    }
  }

  #decide(event: Event): void {
    const isInput = this.decider.schemas[event.type as Event['type']].kind === 'input';
    this.#dueIsOwed = !isInput;
    this.#met = 0;
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
