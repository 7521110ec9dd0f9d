import type { Decider, DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { EventStore, LoggedEvent } from './event-store.js';
import { FoldCache } from './fold-cache.js';
import { type Executed, executedOf } from './plan.js';
import { type Loaded, StreamFold } from './stream-fold.js';
import { StreamWorker, type WriteFailure } from './stream-worker.js';

export type { Executed } from './plan.js';
export type { Loaded } from './stream-fold.js';

const MOST_FOLDS = 5000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

export interface ExecuteOptions {
  /** The number of the last event that the stream must have; -1: no stream. */
  readonly expectedVersion?: number;
  /** Which command_index each command has; without it, its place. */
  readonly indexes?: readonly number[];
  /**
   * The stream is not looked for first, since it is most likely not there. Should it be, the append tells,
   * and costs one round trip more.
   */
  readonly isNew?: boolean;
  /**
   * Whoever gives these commands under this identity makes the same of them: a step of a process manager.
   * So it does not matter whose append the log acknowledges, and it is not looked at; what this process
   * knows of the stream is then forgotten. Only for deciders that owe nothing.
   */
  readonly sameByAll?: boolean;
  /**
   * What the commands were made of besides the stream's own state still holds: the append waits for this.
   * False: nothing is appended, and the answer is VERSION_CONFLICT. It must not fail.
   */
  readonly provided?: Promise<boolean>;
}

/**
 * The streams of one decider: loads their state and brings commands into them.
 * One instance a process and decider; any number of processes.
 */
export class AggregateStore<State, Command, Event extends DomainEvent> {
  readonly #cache = new FoldCache<StreamFold<State, Command, Event>>(MOST_FOLDS, MOST_CHARACTERS);
  readonly #workers = new Map<string, StreamWorker<State, Command, Event>>();

  constructor(
    private readonly eventStore: EventStore,
    private readonly decider: Decider<State, Command, Event>,
    private readonly options: { readonly writeFailure: WriteFailure },
  ) {}

  /**
   * The stream's state with every command that was acknowledged before this call, by whichever process.
   * Fails with `EventStoreUnavailable`, `Refusal('INTEGRITY_FAILURE')`, or `UnreadableEvent`.
   */
  load(stream: string): Promise<Loaded<State>> {
    return this.#worker(stream).load();
  }

  /**
   * The state as this process has it, without a look at the log: perhaps not the latest, so good only for what
   * is then appended at its version. Undefined for a stream that is not in the cache.
   */
  known(stream: string): Loaded<State> | undefined {
    const fold = this.#cache.get(stream);
    return fold?.isRead ? fold.loaded() : undefined;
  }

  /** The state that the stream had at that version, or at its last one if it is not so far yet (SPEC X3). */
  async loadAt(stream: string, version: number): Promise<Loaded<State>> {
    const fold = new StreamFold(stream, this.decider);
    for await (const event of readRecorded(this.eventStore, stream, { from: 0, to: version })) {
      fold.absorb(event);
    }
    return fold.loaded();
  }

  /**
   * Decides the commands one after the other and appends what they make, all or nothing, under one
   * identity. A command_id that the stream knows is not decided again: it gets its first answer (SPEC I7).
   * A lost race is decided again until it lands, unless `expectedVersion` is given.
   *
   * Throws the refusals of `decide`, and VERSION_CONFLICT, IDEMPOTENCY_MISMATCH, INVALID_INPUT (more than
   * 900 KiB), STORAGE_FULL, INTEGRITY_FAILURE, and the write failure once a retry has failed too (SPEC F1).
   */
  execute(
    stream: string,
    commands: readonly Command[],
    identity: CommandIdentity,
    options: ExecuteOptions = {},
  ): Promise<Executed> {
    const { expectedVersion, indexes, isNew = false, sameByAll = false, provided } = options;
    const recordedAt = wallClock();
    return this.#worker(stream).execute({
      commands,
      identity,
      expectedVersion,
      indexes,
      isNew,
      sameByAll,
      provided,
      recordedAt,
    });
  }

  /**
   * The first answer to a command that the stream has taken already, or undefined: for callers that would
   * otherwise collect costly inputs for nothing (SPEC I7). Fails as `load` does, and with
   * IDEMPOTENCY_MISMATCH if it was taken with another body.
   */
  async answered(stream: string, identity: CommandIdentity): Promise<Executed | undefined> {
    const { command_id, body_hash } = identity;
    const answer = (await this.#worker(stream).load()).answerTo(command_id);
    if (answer === undefined) return undefined;
    if (answer.body_hash !== body_hash) throw new Refusal('IDEMPOTENCY_MISMATCH', { command_id });
    return { ...executedOf(answer, 1, undefined), repeated: true };
  }

  /**
   * Appends what the stream owes, if anything, under the command that owes it: for a process manager that
   * finds a command whose first try died between its appends. Fails as `execute` does.
   */
  settle(stream: string): Promise<Loaded<State>> {
    return this.#worker(stream).settle();
  }

  #worker(stream: string): StreamWorker<State, Command, Event> {
    const busy = this.#workers.get(stream);
    if (busy !== undefined) return busy;
    const worker = new StreamWorker(
      this.eventStore,
      this.decider,
      this.options.writeFailure,
      this.#cache.get(stream) ?? new StreamFold(stream, this.decider),
      (fold) => {
        this.#workers.delete(stream);
        this.#cache.put(stream, fold);
      },
    );
    this.#workers.set(stream, worker);
    return worker;
  }
}

let writtenAt = Number.NaN;
let written = '';

/** ISO 8601 UTC; what comes in one millisecond shares its text. */
function wallClock(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    written = new Date(now).toISOString();
  }
  return written;
}

/**
 * A stream's events as they are stored, before any upcasting, from number `from` to number `to`, both
 * included: for replay, bundles and audit, which verify the chain themselves.
 */
export const readRecorded = (
  eventStore: EventStore,
  stream: string,
  { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number } = {},
): AsyncIterable<LoggedEvent> =>
  eventStore.readStream(stream, to === Infinity ? { from } : { from, limit: to - from + 1 });
