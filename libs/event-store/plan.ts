import type { Decider, DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { encode, type EncodedEvent, type Head, identityOf, sizeOf } from './codec.js';
import type { ExpectedRevision } from './event-store.js';
import type { Answer, Step, StreamFold } from './stream-fold.js';

/** One append, in all (SPEC J9). */
export const APPEND_LIMIT = 900 * 1024;
/** No event's data and metadata are less: what is beyond that many events is known not to fit. */
const LEAST_EVENT_BYTES = 400;
const MOST_EVENTS = APPEND_LIMIT / LEAST_EVENT_BYTES;

/** The commands of one `execute`, on their way into the log. */
export interface Intent<Command> {
  readonly commands: readonly Command[];
  readonly identity: CommandIdentity;
  readonly indexes: readonly number[] | undefined;
  readonly expectedVersion: number | undefined;
  /** The stream is taken for missing until the log says otherwise. */
  readonly isNew: boolean;
  /** What another process made of it, under other wall clocks, is as good (SPEC I7). */
  readonly sameByAll: boolean;
  /** Whether what the commands were made of still holds; they are appended alone, and only then. */
  readonly provided: Promise<boolean> | undefined;
  /** Wall clock of the first try: every further try writes the same bytes. */
  readonly recordedAt: string;
}

/** What `execute` resolves with. */
export interface Executed {
  /** One for each command_index; null for a command that changed nothing. */
  readonly results: readonly Json[];
  /** The number of the last event that the commands made, or of the stream's last where they made none. */
  readonly version: number;
  /** The commit position of that event, or a later one of the same append. */
  readonly position: bigint;
  /** The commands were taken before, and this is their first answer (SPEC I7). */
  readonly repeated: boolean;
}

interface Proposed<State, Event extends DomainEvent> {
  readonly event: Event;
  readonly stateAfter: State;
  readonly identity: CommandIdentity;
  readonly commandIndex: number;
  readonly recordedAt: string;
}

/**
 * What is decided on top of a fold and not yet in the log. Intents join one after the other, each on the
 * state that the one before it left, as long as one append has room for all of them.
 */
export class Plan<State, Command, Event extends DomainEvent> {
  readonly steps: Step<State, Event>[] = [];
  readonly events: EncodedEvent[] = [];
  #state: State;
  #head: Head | undefined;
  #bytes = 0;
  #cannotRace = true;
  #sameByAll = false;

  constructor(
    private readonly decider: Decider<State, Command, Event>,
    private readonly fold: StreamFold<State, Command, Event>,
  ) {
    this.#state = fold.state;
  }

  get expected(): ExpectedRevision {
    return this.fold.version < 0 ? 'no_stream' : this.fold.version;
  }

  /** Whether an acknowledgement says all: no other process can have appended anything else under these ids. */
  get cannotRace(): boolean {
    return this.#cannotRace;
  }

  /** Whether an acknowledged event may be another process's, equal but for the accidents of its run. */
  get mayBeAnothers(): boolean {
    return this.#sameByAll;
  }

  /**
   * Decides an intent and takes its events in. Answers how many there are, or 'no_room' when this append
   * is too full for them. Throws the refusal of a command, and INVALID_INPUT when its events alone are
   * more than an append may hold.
   */
  add(intent: Intent<Command>): number | 'no_room' {
    const encoded = this.#encoded(this.#decide(intent));
    if (this.#take(encoded)) {
      this.#cannotRace &&= intent.sameByAll || isMinted(intent.identity.command_id);
      this.#sameByAll ||= intent.sameByAll;
      return encoded.steps.length;
    }
    if (this.events.length > 0) return 'no_room';
    throw tooLarge();
  }

  /**
   * Takes in as much of what the stream owes as there is room for, under the command that owes it. Answers
   * whether that is all of it.
   */
  addOwed(): boolean {
    const owed = this.decider.owed?.(this.#state) ?? [];
    const here = this.steps.findLast((step) => step.metadata.kind === 'input')?.metadata;
    const input = here ?? this.fold.lastInput;
    if (owed.length === 0 || input === undefined) return true;
    if (here === undefined) this.#cannotRace = false;
    const identity = identityOf(input);
    const commandIndex = input.command_index;
    const recordedAt = new Date().toISOString();
    for (const event of owed) {
      const stateAfter = this.decider.evolve(this.#state, event);
      const one = this.#encoded([{ event, stateAfter, identity, commandIndex, recordedAt }]);
      if (this.#take(one)) continue;
      if (this.events.length > 0) return false;
      throw new Error(`One outcome of ${this.fold.stream} is more than an append may hold`);
    }
    return true;
  }

  #decide({ commands, identity, indexes, recordedAt }: Intent<Command>): Proposed<State, Event>[] {
    let state = this.#state;
    const proposed: Proposed<State, Event>[] = [];
    commands.forEach((command, place) => {
      const commandIndex = indexes?.[place] ?? place;
      for (const event of this.decider.decide(command, state)) {
        state = this.decider.evolve(state, event);
        proposed.push({ event, stateAfter: state, identity, commandIndex, recordedAt });
      }
      if (proposed.length > MOST_EVENTS) throw tooLarge();
    });
    return proposed;
  }

  #encoded(proposed: readonly Proposed<State, Event>[]): Encoded<State, Event> {
    let head = this.#head;
    const steps: Step<State, Event>[] = [];
    const events: EncodedEvent[] = [];
    for (const one of proposed) {
      const { event, stateAfter } = one;
      head ??= this.fold.nextHead(event);
      const encoded = encode(this.decider.schemas, head, event, one);
      const { metadata } = encoded;
      const { stream, base } = head;
      head = { stream, number: head.number + 1, hash: metadata.hash, base };
      events.push(encoded);
      steps.push({ event, metadata, number: head.number, stateAfter });
    }
    return { steps, events, head };
  }

  /** False, and nothing taken, when there is no room. */
  #take({ steps, events, head }: Encoded<State, Event>): boolean {
    const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
    if (this.#bytes + bytes > APPEND_LIMIT) return false;
    this.steps.push(...steps);
    this.events.push(...events);
    this.#state = steps.at(-1)?.stateAfter ?? this.#state;
    this.#head = head;
    this.#bytes += bytes;
    return true;
  }
}

const tooLarge = (): Refusal =>
  new Refusal('INVALID_INPUT', {
    reason: `its events are more than the ${APPEND_LIMIT} bytes of one append`,
  });

interface Encoded<State, Event extends DomainEvent> {
  readonly steps: readonly Step<State, Event>[];
  readonly events: readonly EncodedEvent[];
  readonly head: Head | undefined;
}

/**
 * A command_id that was minted for one request is a random UUID, version 4 or 7; the others are derived
 * from a key or a cause, so that two processes may be busy with the same one (SPEC I7).
 */
const isMinted = (commandId: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(commandId);

export const executedOf = (
  { results, version, position }: Omit<Answer, 'body_hash'>,
  commands: number,
  indexes: readonly number[] | undefined,
): Executed => ({
  results: padded(results, indexes === undefined ? commands : Math.max(-1, ...indexes) + 1),
  version,
  position,
  repeated: false,
});

const padded = (results: readonly Json[], length: number): readonly Json[] =>
  results.length >= length
    ? [...results]
    : [...results, ...Array<null>(length - results.length).fill(null)];
