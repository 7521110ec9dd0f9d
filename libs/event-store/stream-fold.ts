import type { Decider, DomainEvent } from '#domain/decider.js';
import type { Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { keyIdOf } from '#domain/privacy/key-id.js';
import { sealedFor } from '#domain/privacy/sealed-in.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { upcast } from '#domain/upcast.js';
import { baseOf, BEFORE_FIRST, type Head, roughSize, verifyLink } from './codec.js';
import type { Appended, LoggedEvent } from './event-store.js';

/**
 * A command whose events the stream already contains, together with its first answer, which every retry
 * receives (SPEC I7).
 */
export interface TakenCommand {
  readonly body_hash: string;
  /** One result for each command_index; null for an index at which nothing was changed. */
  readonly results: readonly Json[];
  readonly first: number;
  readonly version: number;
  /** The commit position of the command's last event. */
  readonly position: bigint;
  /** The ids of the keys under which values were sealed for the command. */
  readonly kids: ReadonlySet<string>;
}

interface MutableTakenCommand extends TakenCommand {
  readonly results: Json[];
  readonly kids: Set<string>;
  readonly insteadOf: number | undefined;
  version: number;
  position: bigint;
}

/**
 * The metadata of a command's second attempt: the number of the first event of the attempt before it. The values of
 * that one were sealed with a key whose destruction was ordered before they were appended, so it gave no answer.
 */
export const INSTEAD_OF = 'instead_of';

const insteadOf = (metadata: EventMetadata): number | undefined => {
  const number = metadata[INSTEAD_OF];
  return typeof number === 'number' ? number : undefined;
};

/** A decided and encoded event, with the state after it. */
export interface Step<State, Event extends DomainEvent> {
  readonly event: Event;
  readonly metadata: EventMetadata;
  readonly number: number;
  readonly stateAfter: State;
}

/** A stream's state, read from the log. */
export interface Loaded<State> {
  readonly state: State;
  /** The number of the last event; -1 if the stream does not exist. */
  readonly version: number;
  /** The hash of the last event; 64 zeros for an empty stream (SPEC I6). */
  readonly headHash: string;
  /**
   * A commit position that is not before the stream's last event, so $all up to this position includes
   * that event.
   */
  readonly position: bigint | undefined;
  /** True if the stream contains events of the command (SPEC I7). */
  readonly hasTaken: (commandId: string) => boolean;
}

/** Returns the id of a value's key. A value that names none is refused where it is opened. */
function kidOf(sealed: Sealed): string {
  try {
    return keyIdOf(sealed);
  } catch {
    return '';
  }
}

/** Returns the ids of the keys under which values were sealed for the commands of these events. */
export const kidsIn = (
  steps: readonly { readonly event: DomainEvent; readonly metadata: EventMetadata }[],
): ReadonlySet<string> =>
  new Set(
    steps.flatMap(({ event, metadata }) =>
      sealedFor(event, metadata.kind).map((one) => kidOf(one)),
    ),
  );

/** How many of a stream's last commands the fold keeps with their answers. */
const KEPT_ANSWERS = 32;
/** The approximate sizes, in characters, of a command that is kept with its answer, and of its id alone. */
const ANSWER_SIZE = 512;
const ID_SIZE = 128;
/** The state's size is computed anew after this many further events. */
const EVENTS_PER_SIZE = 32;

/**
 * A folded stream: its state, its last event, and the commands whose events it contains. Retries follow
 * soon, so only the last commands are kept with their answers. Of an earlier command, the fold keeps the
 * number of its last event, and the transaction reads the answer from the log.
 */
export class StreamFold<State, Command, Event extends DomainEvent> {
  state: State;
  version: number = BEFORE_FIRST.number;
  headHash: string = BEFORE_FIRST.hash;
  position: bigint | undefined;
  /** The base of the stream's seeded time in ms (SPEC I3); undefined until the first event. */
  base: number | undefined;
  /**
   * The approximate size of all events so far, in characters. It is used if the decider does not report
   * the size of its state.
   */
  #eventSize = 0;
  /** The metadata of the last input event. Its command is the one that requires the owed outcomes. */
  lastInput: EventMetadata | undefined;
  /**
   * True if the fold was once at the stream's end. A fold without events then means that the stream does
   * not exist.
   */
  isRead = false;
  /** The epoch of the event store in which the fold was last compared with the log. */
  epoch = 0;
  #stateSize = 0;
  #sizedAt: number | undefined;
  /** The last commands, oldest first. */
  readonly #taken = new Map<string, MutableTakenCommand>();
  /** The number of the last event of each earlier command. */
  readonly #earlier = new Map<string, number>();

  constructor(
    readonly stream: string,
    private readonly decider: Decider<State, Command, Event>,
  ) {
    this.state = decider.initialState(stream);
  }

  /** The approximate size in characters, which counts towards the cache's limit. */
  get size(): number {
    return this.#keptSize + ANSWER_SIZE * this.#taken.size + ID_SIZE * this.#earlier.size;
  }

  get #keptSize(): number {
    if (this.decider.sizeOf === undefined) return this.#eventSize;
    if (this.#sizedAt === undefined || this.version - this.#sizedAt >= EVENTS_PER_SIZE) {
      this.#stateSize = this.decider.sizeOf(this.state);
      this.#sizedAt = this.version;
    }
    return this.#stateSize;
  }

  get head(): { number: number; hash: string } {
    return { number: this.version, hash: this.headHash };
  }

  /** Forgets all events, because the log no longer has them. */
  reset(): void {
    this.state = this.decider.initialState(this.stream);
    this.version = BEFORE_FIRST.number;
    this.headHash = BEFORE_FIRST.hash;
    this.position = undefined;
    this.base = undefined;
    this.lastInput = undefined;
    this.isRead = false;
    this.#eventSize = 0;
    this.#sizedAt = undefined;
    this.#taken.clear();
    this.#earlier.clear();
  }

  loaded(): Loaded<State> {
    const { state, version, headHash, position } = this;
    const hasTaken = (commandId: string): boolean => this.hasTaken(commandId);
    return { state, version, headHash, position, hasTaken };
  }

  hasTaken(commandId: string): boolean {
    return this.#taken.has(commandId) || this.#earlier.has(commandId);
  }

  /** Returns one of the last commands with its answer. */
  takenUnder(commandId: string): TakenCommand | undefined {
    return this.#taken.get(commandId);
  }

  /** Returns the number of the last event of a command that is not among the last ones. */
  endOfEarlier(commandId: string): number | undefined {
    return this.#earlier.get(commandId);
  }

  /** Returns the head for the next event; `first` gives the seed of an empty stream. */
  nextHead(first: Event): Head {
    const { stream, version, headHash } = this;
    const base = this.base ?? baseOf(this.decider, stream, first);
    return { stream, number: version, hash: headHash, base };
  }

  /** Folds an event from the log. Its stored form is verified before it is upcast (SPEC I6). */
  absorb(stored: LoggedEvent): void {
    verifyLink(this.head, stored);
    const event = upcast<Event>(this.decider.schemas, stored);
    this.base ??= baseOf(this.decider, this.stream, event);
    this.state = this.decider.evolve(this.state, event);
    this.#take(event, stored.metadata, stored.number);
    this.#place(stored.metadata, stored.position);
  }

  commit(steps: readonly Step<State, Event>[], { position }: Appended): void {
    for (const step of steps) {
      this.base ??= baseOf(this.decider, this.stream, step.event);
      this.state = step.stateAfter;
      this.#take(step.event, step.metadata, step.number);
      this.#place(step.metadata, position);
    }
    this.isRead = true;
  }

  #take(event: Event, metadata: EventMetadata, number: number): void {
    this.version = number;
    this.headHash = metadata.hash;
    if (this.decider.sizeOf === undefined) this.#eventSize += 256 + roughSize(event.data);
    const taken = this.#takenBy(metadata, number);
    if (metadata.kind !== 'input') return;
    this.lastInput = metadata;
    for (const sealed of sealedFor(event, metadata.kind)) taken.kids.add(kidOf(sealed));
    for (let index = taken.results.length; index < metadata.command_index; index += 1)
      taken.results[index] = null; // A command without an event changed nothing, so its result is null.
    taken.results[metadata.command_index] = this.decider.resultOf?.(event, this.state) ?? null;
  }

  #takenBy(metadata: EventMetadata, number: number): MutableTakenCommand {
    const { body_hash, command_id } = metadata;
    const known = this.#taken.get(command_id);
    const again = insteadOf(metadata);
    if (known !== undefined && (again === undefined || again === known.insteadOf)) return known;
    if (again !== undefined) {
      this.#taken.delete(command_id);
      this.#earlier.delete(command_id);
    }
    const taken: MutableTakenCommand = {
      body_hash,
      results: [],
      first: number,
      version: number,
      position: 0n,
      kids: new Set(),
      insteadOf: again,
    };
    this.#taken.set(command_id, taken);
    if (this.#taken.size > KEPT_ANSWERS) this.#forgetOldestAnswer();
    return taken;
  }

  #forgetOldestAnswer(): void {
    const [oldest] = this.#taken;
    if (oldest === undefined) return;
    const [id, { version }] = oldest;
    this.#taken.delete(id);
    this.#earlier.set(id, version);
  }

  #place(metadata: EventMetadata, position: bigint): void {
    this.position = position;
    const taken = this.#takenBy(metadata, this.version);
    taken.version = this.version;
    taken.position = position;
  }
}
