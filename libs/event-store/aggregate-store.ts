import { LruMap, stringBytes } from '#bounded/lru-map.js';
import type { AnswerTo, Decider, DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { upcast } from '#domain/upcast.js';
import { MAX_EVENTS, tooLarge } from './draft.js';
import { type EventStore, EventStoreUnavailable, type LoggedEvent } from './event-store.js';
import { readUpTo } from './stream-past.js';
import { type Loaded, StreamFold, type TakenCommand } from './stream-fold.js';
import {
  type Decide,
  type Decision,
  type Request,
  Transaction,
  type TransactionOptions,
} from './transaction.js';
import { Turns } from './turns.js';

export type { Loaded } from './stream-fold.js';
export type { Decision } from './transaction.js';

const MAX_BYTES = 72 * 1024 * 1024;
/** The approximate size of a fold without its characters. */
const FOLD_BYTES = 1_500;
/** Enough for the ids of 5,000 commands, and an append arrives within seconds or not at all. */
const MAX_FAILED_BYTES = 1024 * 1024;

export interface TransactOptions {
  /** The number that the stream's last event must have; -1 if the stream must not exist. */
  readonly expectedVersion?: number;
}

export interface ExecuteOptions extends TransactOptions {
  /** The command_index of each command; by default its index in the list. */
  readonly indexes?: readonly number[];
}

/** A command's place in its stream: the numbers of its events, and the state after them. */
interface Placed<State> {
  /** The number of the command's last event or, if the command changed nothing, of the stream's last event. */
  readonly version: number;
  /** True if this is the answer to an earlier request with the same identity (SPEC I7). */
  readonly repeated: boolean;
  /** The stream after the command. */
  readonly after: Loaded<State>;
}

/** The result of `transact`. */
export interface Transacted<State, Answer> extends Placed<State> {
  readonly answer: Answer;
  /**
   * The commit position of the command's last event or, if the command changed nothing, of the stream's
   * last event.
   */
  readonly position: bigint | undefined;
}

export interface Executed<State = unknown, Answer = Json> extends Placed<State> {
  /** One result for each command_index; null if the command changed nothing. */
  readonly results: readonly (Answer | null)[];
  /** The commit position of the command's last event; 0 if the stream does not exist. */
  readonly position: bigint;
}

export type Commands<State, Command> =
  | readonly Command[]
  | ((state: State, isAgain: boolean) => readonly Command[] | Promise<readonly Command[]>);

/**
 * The streams of one decider. All commands are sent, and all states are loaded, through this class. Each
 * process has one instance per decider; any number of processes may share the streams.
 */
export class AggregateStore<State, Command, Event extends DomainEvent> {
  /** A fold is put again after each use, which may have changed its size. */
  readonly #folds = new LruMap<string, StreamFold<State, Command, Event>>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ size }) => FOLD_BYTES + 2 * size,
  });
  /** The ids of the last commands that have failed. An append of theirs may still be on its way to the log. */
  readonly #failed = new LruMap<string, true>({
    maxBytes: MAX_FAILED_BYTES,
    bytesOf: (_, commandId) => stringBytes(commandId),
  });
  readonly #turns = new Turns();
  /** Loads that have not begun to read yet. */
  readonly #waitingLoads = new Map<string, Promise<Loaded<State>>>();

  constructor(
    private readonly eventStore: EventStore,
    private readonly decider: Decider<State, Command, Event>,
    private readonly options: TransactionOptions,
  ) {}

  /**
   * Returns the stream's state, including every command that any process had acknowledged before this
   * call. @throws EventStoreUnavailable, UnreadableEvent, Refusal INTEGRITY_FAILURE.
   */
  load(stream: string): Promise<Loaded<State>> {
    const waiting = this.#waitingLoads.get(stream);
    if (waiting !== undefined) return waiting;
    let isReading = false;
    const load = this.#inTurn(stream, async (transaction, fold) => {
      isReading = true;
      this.#waitingLoads.delete(stream);
      await transaction.refresh();
      return fold.loaded();
    });
    if (!isReading) this.#waitingLoads.set(stream, load);
    return load;
  }

  /**
   * Returns the state of a stream that no command changes any more; a state in memory is used if `hasEnded`
   * is true for it. It waits for no other work on the stream, so `decide` may call it, for any stream.
   */
  async loadEnded(stream: string, hasEnded: (state: State) => boolean): Promise<State> {
    const fold = this.#folds.peek(stream);
    if (fold !== undefined && hasEnded(fold.state)) return fold.state;
    return (await this.loadAt(stream, Infinity)).state;
  }

  /** Returns the state of a stream that this process has cached; undefined if it has not. Reads nothing. */
  inMemory(stream: string): State | undefined {
    return this.#folds.peek(stream)?.state;
  }

  /** Returns the state at an earlier version, or the latest state if the stream is shorter (SPEC X3). */
  async loadAt(stream: string, version: number): Promise<Loaded<State>> {
    const fold = new StreamFold(stream, this.decider);
    for await (const event of readRecorded(this.eventStore, stream, { from: 0, to: version }))
      fold.absorb(event);
    return fold.loaded();
  }

  /** Returns the state at a position of the log, which may lie before the stream's first event. */
  async loadAtPosition(stream: string, position: bigint): Promise<Loaded<State>> {
    const fold = new StreamFold(stream, this.decider);
    for await (const event of readUpTo(this.eventStore, stream, position)) fold.absorb(event);
    return fold.loaded();
  }

  /**
   * Decides one command on the stream's current state, and appends its events to the log. `decide`
   * returns events and an answer for the stream's state; the events are appended at the revision of that
   * state. If another append came first, `decide` is called again. `decide` may be asynchronous, and
   * must not wait for the same stream: of this store, it may call `loadEnded` only. For a command that the
   * stream already contains, `decide` is not called: `again` gets the state before the command and the
   * recorded input event, and returns the command's first answer (SPEC I7). Events whose values were sealed too late
   * give no answer (`Seals`): the command fails, and its retry is decided. @throws what `decide` throws,
   * and Refusal VERSION_CONFLICT, IDEMPOTENCY_MISMATCH, INVALID_INPUT (events of more than 900 KiB),
   * STORAGE_FULL, INTEGRITY_FAILURE, or the write failure if the retry of the append failed too (SPEC F1).
   */
  async transact<Answer>(
    stream: string,
    identity: CommandIdentity,
    decide: Decide<State, Event, Answer>,
    again: (before: State, input: Event) => Answer,
    { expectedVersion }: TransactOptions = {},
  ): Promise<Transacted<State, Answer>> {
    const { outcome, after } = await this.#run(stream, { identity, decide, expectedVersion });
    if (outcome.kind === 'unchanged') {
      const { version, position } = after;
      return { answer: outcome.decision.answer, version, position, repeated: false, after };
    }
    const { version, position, first } = outcome.taken;
    if (outcome.kind === 'appended')
      return { answer: outcome.decision.answer, version, position, repeated: false, after };
    const { before, input } = await this.#inputAt(stream, first);
    const answer = again(before, input);
    return { answer, version, position, repeated: !outcome.isOwnTry, after };
  }

  /**
   * Decides several commands one after the other, and appends either all their events or no events. `resultOf` makes
   * the answers of the commands from the events. If the commands are given as a function of the stream's state, that
   * function is not called for a request that the stream already contains. @throws what `transact` throws.
   */
  async execute<C extends Command>(
    stream: string,
    commands: Commands<State, C>,
    identity: CommandIdentity,
    { expectedVersion, indexes }: ExecuteOptions = {},
  ): Promise<Executed<State, AnswerTo<C>>> {
    const decide = async (state: State, isAgain: boolean): Promise<Decision<Event, number>> => {
      const list = typeof commands === 'function' ? await commands(state, isAgain) : commands;
      return this.#decideAll(list, state, indexes);
    };
    const { outcome, after } = await this.#run(stream, { identity, decide, expectedVersion });
    if (outcome.kind === 'unchanged') {
      const { version, position = 0n } = after;
      const results = nulls(outcome.decision.answer);
      return { results, version, position, repeated: false, after };
    }
    const { version, position } = outcome.taken;
    const results =
      outcome.kind === 'appended'
        ? padded<AnswerTo<C>>(outcome.taken, outcome.decision.answer)
        : padded<AnswerTo<C>>(
            outcome.taken,
            Array.isArray(commands) ? resultCount(commands, indexes) : 0,
          );
    const repeated = outcome.kind === 'taken' && !outcome.isOwnTry;
    return { results, version, position, repeated, after };
  }

  /**
   * True if the stream contains events of a command that give it no answer, because its values were sealed with a key
   * whose destruction was ordered before (SPEC P5). @throws what `load` throws, and the write failure while an erasure
   * is being carried out
   */
  lacksAnswer(stream: string, commandId: string): Promise<boolean> {
    return this.#inTurn(stream, async (transaction) => {
      await transaction.refresh();
      const taken = await transaction.taken(commandId);
      return taken !== undefined && transaction.isDead(taken);
    });
  }

  /**
   * Appends the outcomes that the stream owes, under the command that requires them. A process manager
   * calls this if a process may have died between two appends. @throws what `transact` throws.
   */
  settle(stream: string): Promise<Loaded<State>> {
    return this.#inTurn(stream, async (transaction, fold) => {
      await transaction.settle();
      return fold.loaded();
    });
  }

  #run<Answer>(stream: string, request: Request<State, Event, Answer>) {
    return this.#inTurn(stream, async (transaction, fold) => {
      const identity = this.#attempted(request.identity);
      try {
        return { outcome: await transaction.run({ ...request, identity }), after: fold.loaded() };
      } catch (cause) {
        if (transaction.hasFailed) this.#failed.set(identity.command_id, true);
        throw cause;
      }
    });
  }

  /** Returns the identity of a command, which says whether an earlier attempt in this process has failed. */
  #attempted(identity: CommandIdentity): CommandIdentity {
    return this.#failed.has(identity.command_id) ? { ...identity, isSentAgain: true } : identity;
  }

  /** Decides the commands one after the other, as one decision whose answer is the number of results. */
  #decideAll(
    commands: readonly Command[],
    state: State,
    indexes: readonly number[] | undefined,
  ): Decision<Event, number> {
    const events: Event[] = [];
    const indexOfEach: number[] = [];
    let decided = state;
    const isBatch = (indexes?.at(-1) ?? commands.length - 1) > 0;
    commands.forEach((command, place) => {
      const index = indexes?.[place] ?? place;
      for (const event of this.#decideOne(command, decided, isBatch ? index : undefined)) {
        if (commands.length > 1) decided = this.decider.evolve(decided, event);
        events.push(event);
        indexOfEach.push(index);
      }
      if (events.length > MAX_EVENTS) throw tooLarge();
    });
    return { events, indexes: indexOfEach, answer: resultCount(commands, indexes) };
  }

  /** @param index the index of the command in its batch, which a refusal names; undefined without a batch */
  #decideOne(command: Command, state: State, index: number | undefined): readonly Event[] {
    try {
      return this.decider.decide(command, state);
    } catch (cause) {
      throw Refusal.ofCommand(cause, index);
    }
  }

  /**
   * Runs the pieces of work on a stream one at a time in this process, and keeps the fold for the next
   * piece of work.
   */
  #inTurn<Result>(
    stream: string,
    work: (
      transaction: Transaction<State, Command, Event>,
      fold: StreamFold<State, Command, Event>,
    ) => Promise<Result>,
  ): Promise<Result> {
    return this.#turns.run(stream, async () => {
      const { eventStore, decider, options } = this;
      const fold = this.#folds.peek(stream) ?? new StreamFold(stream, decider);
      try {
        const result = await work(new Transaction(eventStore, decider, options, fold), fold);
        this.#folds.set(stream, fold);
        return result;
      } catch (cause) {
        // After an unexpected error, the fold is dropped and the next call folds the stream from its beginning.
        if (leavesFoldIntact(cause)) this.#folds.set(stream, fold);
        else this.#folds.delete(stream);
        throw cause;
      }
    });
  }

  async #inputAt(stream: string, number: number): Promise<{ before: State; input: Event }> {
    const fold = new StreamFold(stream, this.decider);
    for await (const event of readRecorded(this.eventStore, stream, { from: 0, to: number })) {
      if (event.number === number)
        return { before: fold.state, input: upcast<Event>(this.decider.schemas, event) };
      fold.absorb(event);
    }
    throw new Error(`${stream} does not contain event ${number}`);
  }
}

/** Returns the answer to a command that is the only one of its request, and always has an event. */
export function onlyAnswer<Answer>({ results: [answer] }: Executed<unknown, Answer>): Answer {
  if (answer === undefined || answer === null) throw new TypeError('The command had no event');
  return answer;
}

const leavesFoldIntact = (cause: unknown): boolean =>
  cause instanceof EventStoreUnavailable ||
  (cause instanceof Refusal && cause.code !== 'INTEGRITY_FAILURE');

const resultCount = (commands: readonly unknown[], indexes: readonly number[] | undefined) =>
  indexes === undefined ? commands.length : Math.max(-1, ...indexes) + 1;

const nulls = (count: number): null[] => new Array<null>(count).fill(null);

/** The answers are of these commands' type, because the recorded ones have the same body hash. */
const padded = <Answer>({ results }: TakenCommand, count: number): readonly (Answer | null)[] => [
  ...(results as readonly (Answer | null)[]),
  ...nulls(Math.max(0, count - results.length)),
];

/**
 * Reads a stream's stored events, without upcasting, from number `from` up to and including `to`. For
 * replay, bundles and audits, which verify the chain themselves.
 */
export const readRecorded = (
  eventStore: EventStore,
  stream: string,
  { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number } = {},
): AsyncIterable<LoggedEvent> =>
  eventStore.readStream(stream, to === Infinity ? { from } : { from, limit: to - from + 1 });
