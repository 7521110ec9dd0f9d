import type { Decider, DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { encode, type EncodedEvent, type Head, identityOf, sizeOf } from './codec.js';
import type { ExpectedRevision } from './event-store.js';
import type { Step, StreamFold } from './stream-fold.js';

/** The maximum bytes of one append (SPEC J9). */
export const APPEND_LIMIT = 900 * 1024;
/** The bytes of data and metadata of the smallest possible event. */
const SMALLEST_EVENT = 400;
/** The maximum number of events in one append. */
export const MAX_EVENTS = APPEND_LIMIT / SMALLEST_EVENT;

export const tooLarge = (): Refusal =>
  new Refusal('INVALID_INPUT', {
    reason: `its events are more than the ${APPEND_LIMIT} bytes of one append`,
  });

/** The command whose events are added to a draft. */
export interface Author {
  readonly identity: CommandIdentity;
  /** The wall-clock time of the command's first attempt, ISO 8601 UTC. */
  readonly recordedAt: string;
}

/** An append that is being prepared: decided events, encoded and chained to the last event of the stream. */
export class Draft<State, Command, Event extends DomainEvent> {
  readonly steps: Step<State, Event>[] = [];
  readonly events: EncodedEvent[] = [];
  /**
   * True if another process, or an earlier attempt whose append is still on its way, may append other events with the
   * same ids, for the same command or for the same owed outcomes.
   */
  mayRace = false;
  #state: State;
  #head: Head | undefined;
  #bytes = 0;

  constructor(
    private readonly decider: Decider<State, Command, Event>,
    private readonly fold: StreamFold<State, Command, Event>,
  ) {
    this.#state = fold.state;
  }

  get expectedRevision(): ExpectedRevision {
    return this.fold.version < 0 ? 'no_stream' : this.fold.version;
  }

  /**
   * Adds the events of one command; `indexes` gives the command_index of each event. @throws Refusal
   * INVALID_INPUT if they do not fit into one append.
   */
  add(events: readonly Event[], indexes: readonly number[] | undefined, author: Author): void {
    const { command_id, isSentAgain = false } = author.identity;
    this.mayRace ||= isSentAgain || !isMinted(command_id);
    events.forEach((event, place) => {
      if (!this.#add(event, indexes?.[place] ?? 0, author)) throw tooLarge();
    });
  }

  /**
   * Adds as many of the stream's owed outcomes as fit, each under the command that requires it. The next
   * append adds the others.
   */
  addOwed(): void {
    const owed = this.decider.owed?.(this.#state) ?? [];
    const ownInput = this.steps.findLast(({ metadata }) => metadata.kind === 'input')?.metadata;
    const input = ownInput ?? this.fold.lastInput;
    if (owed.length === 0 || input === undefined) return;
    this.mayRace ||= ownInput === undefined;
    const author = { identity: identityOf(input), recordedAt: new Date().toISOString() };
    for (const event of owed) {
      if (this.#add(event, input.command_index, author)) continue;
      if (this.events.length > 0) return;
      throw new Error(`One outcome of ${this.fold.stream} is larger than one append can be`);
    }
  }

  /** Adds one event. If the append is full, returns false and adds nothing. */
  #add(event: Event, commandIndex: number, author: Author): boolean {
    const head = this.#head ?? this.fold.nextHead(event);
    const encoded = encode(this.decider.schemas, head, event, { ...author, commandIndex });
    const bytes = sizeOf(encoded);
    if (this.#bytes + bytes > APPEND_LIMIT) return false;
    const { stream, base } = head;
    const number = head.number + 1;
    this.#state = this.decider.evolve(this.#state, event);
    this.#head = { stream, number, hash: encoded.metadata.hash, base };
    this.#bytes += bytes;
    this.events.push(encoded);
    this.steps.push({ event, metadata: encoded.metadata, number, stateAfter: this.#state });
    return true;
  }
}

/**
 * True for a random command_id: a UUID of version 4 or 7, which one process has made for one attempt. Other ids are
 * derived from a key or a cause, so two processes may execute the same command (SPEC I7).
 */
const isMinted = (commandId: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(commandId);
