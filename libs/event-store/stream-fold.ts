import type { Decider, DomainEvent } from '#domain/decider.js';
import type { Json } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { upcast } from '#domain/upcast.js';
import { baseOf, BEFORE_FIRST, type Head, roughSize, verifyLink } from './codec.js';
import type { Appended, LoggedEvent } from './event-store.js';

/** What a command was answered with, kept for its retries (SPEC I7). */
export interface Answer {
  readonly body_hash: string;
  readonly results: readonly Json[];
  /** The number of its last event. */
  readonly version: number;
  /** The commit position of its last event. */
  readonly position: bigint;
}

interface Noted {
  readonly body_hash: string;
  readonly results: Json[];
  version: number;
  position: bigint;
}

/** A decided event, encoded, and the state after it. */
export interface Step<State, Event extends DomainEvent> {
  readonly event: Event;
  readonly metadata: EventMetadata;
  readonly number: number;
  readonly stateAfter: State;
}

/** A stream's state as the log has it. */
export interface Loaded<State> {
  readonly state: State;
  /** The number of the last event, -1 for a stream that does not exist. */
  readonly version: number;
  /** The last event's hash, 64 zeros for none (SPEC I6). */
  readonly headHash: string;
  /** A commit position in $all at which the last event is in the log. */
  readonly position: bigint | undefined;
  /** What a command was answered with, if the stream has taken it (SPEC I7). */
  readonly answerTo: (commandId: string) => Answer | undefined;
}

const ANSWER_SIZE = 256;

/** A stream folded so far: its state, its head, and the commands that it has taken. */
export class StreamFold<State, Command, Event extends DomainEvent> {
  state: State;
  version: number = BEFORE_FIRST.number;
  headHash: string = BEFORE_FIRST.hash;
  position: bigint | undefined;
  /** Undefined until the first event. */
  base: number | undefined;
  /** Of all events so far, roughly, in characters; counted where the decider does not tell its state's size. */
  #said = 0;
  /** Metadata of the last input event: the command that owes what is owed. */
  lastInput: EventMetadata | undefined;
  /** Whether it was ever read: a stream that is not known to be missing may exist. */
  isRead = false;
  readonly #answers = new Map<string, Noted>();

  constructor(
    readonly stream: string,
    private readonly decider: Decider<State, Command, Event>,
  ) {
    this.state = decider.initialState(stream);
  }

  /** Roughly, in characters; what the cache is bounded by. */
  get size(): number {
    const kept = this.decider.sizeOf?.(this.state);
    return kept === undefined ? this.#said : kept + ANSWER_SIZE * this.#answers.size;
  }

  get head(): { number: number; hash: string } {
    return { number: this.version, hash: this.headHash };
  }

  loaded(): Loaded<State> {
    const { state, version, headHash, position } = this;
    const answerTo = (commandId: string): Answer | undefined => this.#answers.get(commandId);
    return { state, version, headHash, position, answerTo };
  }

  answerTo(commandId: string): Answer | undefined {
    return this.#answers.get(commandId);
  }

  /** The place of the next event; `first` tells the seed of a stream that has none yet. */
  nextHead(first: Event): Head {
    const { stream, version, headHash } = this;
    const base = this.base ?? baseOf(this.decider, stream, first);
    return { stream, number: version, hash: headHash, base };
  }

  /** Takes in an event that was read: verified as it was stored, then upcast (SPEC I6). */
  absorb(stored: LoggedEvent): void {
    verifyLink(this.head, stored);
    const event = upcast<Event>(this.decider.schemas, stored);
    this.base ??= baseOf(this.decider, this.stream, event);
    this.state = this.decider.evolve(this.state, event);
    this.#take(event, stored.metadata, stored.number);
    this.#place(stored.metadata, stored.position);
  }

  /** Takes in what was appended. */
  commit(steps: readonly Step<State, Event>[], { position }: Appended): void {
    for (const step of steps) {
      this.base ??= baseOf(this.decider, this.stream, step.event);
      this.state = step.stateAfter;
      this.#take(step.event, step.metadata, step.number);
      this.#place(step.metadata, position);
    }
  }

  #take(event: Event, metadata: EventMetadata, number: number): void {
    this.version = number;
    this.headHash = metadata.hash;
    if (this.decider.sizeOf === undefined) this.#said += 256 + roughSize(event.data);
    const noted = this.#noted(metadata);
    if (metadata.kind !== 'input') return;
    this.lastInput = metadata;
    for (let index = noted.results.length; index < metadata.command_index; index += 1) {
      noted.results[index] = null; // That command changed nothing.
    }
    noted.results[metadata.command_index] = this.decider.resultOf?.(event, this.state) ?? null;
  }

  #noted(metadata: EventMetadata): Noted {
    const known = this.#answers.get(metadata.command_id);
    if (known !== undefined) return known;
    const { body_hash } = metadata;
    const noted: Noted = { body_hash, results: [], version: -1, position: 0n };
    this.#answers.set(metadata.command_id, noted);
    return noted;
  }

  #place(metadata: EventMetadata, position: bigint): void {
    this.position = position;
    const noted = this.#noted(metadata);
    noted.version = this.version;
    noted.position = position;
  }
}
