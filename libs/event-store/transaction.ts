import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decider, DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JsonObject } from '#domain/json.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { Draft } from './draft.js';
import {
  AmbiguousAppend,
  AppendRefused,
  type EventStore,
  EventStoreUnavailable,
  LogFull,
  RevisionConflict,
} from './event-store.js';
import { lasting } from './lasting.js';
import type { Seals, SealStanding } from './seals.js';
import { INSTEAD_OF, kidsIn, StreamFold, type TakenCommand } from './stream-fold.js';

/** The error code of a failed append. It depends on the kind of stream (SPEC F1). */
export type WriteFailure = 'MEMORY_WRITE_FAIL' | 'SEM_WRITE_FAIL';

/** The decision on a command for one state of its stream. */
export interface Decision<Event extends DomainEvent, Answer> {
  /** The events, which are appended together or not at all; empty if the command changes nothing. */
  readonly events: readonly Event[];
  readonly answer: Answer;
  /** The command_index of each event; by default 0 for all. */
  readonly indexes?: readonly number[];
  /** Further metadata for every event, in addition to the evidence of the command's identity. */
  readonly evidence?: JsonObject;
}

/**
 * @param isAgain true if the command's earlier events gave no answer (SPEC P5) and are the last of the stream, so what
 * the command expected of the stream was true before them
 */
export type Decide<State, Event extends DomainEvent, Answer> = (
  state: State,
  isAgain: boolean,
) => Decision<Event, Answer> | Promise<Decision<Event, Answer>>;

export interface TransactionOptions {
  readonly writeFailure: WriteFailure;
  /** Missing if no event of the streams has sealed values. */
  readonly seals?: Seals;
}

/** A command for one stream. */
export interface Request<State, Event extends DomainEvent, Answer> {
  readonly identity: CommandIdentity;
  readonly decide: Decide<State, Event, Answer>;
  /** The number that the stream's last event must have; -1 if the stream must not exist. */
  readonly expectedVersion: number | undefined;
}

export type Outcome<Event extends DomainEvent, Answer> =
  /** This transaction's events are in the log. */
  | {
      readonly kind: 'appended';
      readonly decision: Decision<Event, Answer>;
      readonly taken: TakenCommand;
    }
  /** The decision has no events. */
  | { readonly kind: 'unchanged'; readonly decision: Decision<Event, Answer> }
  /** The stream already contains the command's events. Another attempt or an earlier request has appended them. */
  | { readonly kind: 'taken'; readonly taken: TakenCommand; readonly isOwnTry: boolean };

const NO_STREAM = -1;
/** The number of lost races after which the command fails. */
const MAX_CONFLICTS = 1000;
const MAX_CONFLICT_PAUSE_MS = 25;

/** The pause before the one retry of a failed append, in milliseconds (SPEC F1). */
export const retryDelayMs = (stream: string): number =>
  50 + (createHash('sha256').update(stream).digest().readUInt16BE(0) % 200);

/**
 * Executes one command on its stream: looks in the stream for an earlier answer to the command, decides,
 * and appends at the revision for which it decided. After a lost race or an unknown outcome it starts
 * again (SPEC I7, F1). The caller makes sure that no other code uses the fold meanwhile.
 */
export class Transaction<State, Command, Event extends DomainEvent> {
  #mustRead: boolean;
  /** True if the fold contains every event that the log contained when this transaction began. */
  #isCurrent = false;
  #commandId: string | undefined;
  #conflicts = 0;
  #failures = 0;

  constructor(
    private readonly eventStore: EventStore,
    private readonly decider: Decider<State, Command, Event>,
    private readonly options: TransactionOptions,
    private readonly fold: StreamFold<State, Command, Event>,
  ) {
    if (fold.version === NO_STREAM) fold.epoch = eventStore.epoch;
    this.#mustRead = !fold.isRead || fold.epoch !== eventStore.epoch;
  }

  /** True if a step has failed, so an append of this transaction may still be on its way to the log. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** Reads the stream to its end, and appends the outcomes that it owes. */
  async settle(): Promise<void> {
    this.#mustRead = true;
    while (!(await this.#tried(() => this.#prepare())));
  }

  async run<Answer>(request: Request<State, Event, Answer>): Promise<Outcome<Event, Answer>> {
    const { identity, expectedVersion } = request;
    // The command is decided on an empty stream without reading it. If the stream has events, the append fails.
    if (expectedVersion === NO_STREAM) this.#mustRead = false;
    this.#commandId = identity.command_id;
    const recordedAt = new Date().toISOString();
    let appended: Decision<Event, Answer> | undefined;
    let mayBeInLog = false;
    for (;;) {
      if (!(await this.#tried(() => this.#prepare()))) continue;
      const taken = await this.#takenUnder(identity);
      const isDead = taken !== undefined && (await this.isDead(taken));
      if (taken !== undefined && !isDead)
        return appended === undefined
          ? { kind: 'taken', taken, isOwnTry: mayBeInLog }
          : { kind: 'appended', decision: appended, taken };
      // The values were sealed before this transaction, so only a retry can seal them anew.
      if (isDead && (appended !== undefined || mayBeInLog)) throw this.#failedBesideErasure();
      const decided = await this.#decided(request, recordedAt, taken);
      if (decided === undefined) continue;
      const { decision, draft } = decided;
      if (draft === undefined) return { kind: 'unchanged', decision };
      await this.#requireLivingKeys(draft);
      const failuresBefore = this.#failures;
      const isAppended = await this.#tried(() => this.#append(draft));
      if (isAppended) appended = decision;
      else mayBeInLog ||= this.#failures > failuresBefore;
    }
  }

  /** Reads the stream if necessary, then appends the outcomes that an earlier command owes. */
  async #prepare(): Promise<void> {
    if (this.#mustRead) {
      await this.refresh();
      this.#mustRead = false;
      this.#isCurrent = true;
    }
    while ((this.decider.owed?.(this.fold.state) ?? []).length > 0) {
      const draft = new Draft(this.decider, this.fold);
      draft.addOwed();
      await this.#append(draft);
    }
  }

  /**
   * True if the events of a command give it no answer: the keys that sealed its values were to be destroyed before the
   * events were appended, so nobody could ever read them (SPEC P5, G6). This follows from the order of the log alone, so
   * every process finds the same, also after a crash. @throws Refusal, the write failure, while it is unknown
   */
  async isDead({ kids, position }: TakenCommand): Promise<boolean> {
    const standing = await this.#standingOf(kids, position);
    if (standing === 'unknown') throw this.#failedBesideErasure();
    return standing === 'dead';
  }

  /**
   * Refuses events whose keys are to be destroyed already: they would take the place of a value that was sealed after
   * the erasure, and was acknowledged.
   */
  async #requireLivingKeys({ steps }: Draft<State, Command, Event>): Promise<void> {
    if ((await this.#standingOf(kidsIn(steps), undefined)) !== 'kept')
      throw this.#failedBesideErasure();
  }

  async #standingOf(
    kids: ReadonlySet<string>,
    position: bigint | undefined,
  ): Promise<SealStanding> {
    if (kids.size === 0) return 'kept';
    return (await this.options.seals?.standingOf([...kids], position)) ?? 'kept';
  }

  /**
   * Returns the command's first answer if the stream contains its events. @throws Refusal
   * IDEMPOTENCY_MISMATCH if they came from another body.
   */
  async #takenUnder({ command_id, body_hash }: CommandIdentity): Promise<TakenCommand | undefined> {
    const taken = await this.taken(command_id);
    if (taken !== undefined && taken.body_hash !== body_hash)
      throw new Refusal('IDEMPOTENCY_MISMATCH', { command_id });
    return taken;
  }

  async taken(commandId: string): Promise<TakenCommand | undefined> {
    const end = this.fold.endOfEarlier(commandId);
    return (end === undefined ? this.fold : await this.#foldTo(end)).takenUnder(commandId);
  }

  /**
   * Decides the command for the state of the fold. Returns undefined if the command is refused or
   * changes nothing while the fold may be older than the log. The transaction then reads the stream and
   * decides again. @param dead the command's earlier events, which gave it no answer
   */
  async #decided<Answer>(
    { identity, decide, expectedVersion }: Request<State, Event, Answer>,
    recordedAt: string,
    dead: TakenCommand | undefined,
  ) {
    const isAgain = dead?.version === this.fold.version;
    try {
      this.#requireVersion(expectedVersion, isAgain ? dead.first - 1 : this.fold.version);
      const decision = await decide(this.fold.state, isAgain);
      if (decision.events.length > 0) {
        const evidence = {
          ...identity.evidence,
          ...decision.evidence,
          ...(dead === undefined ? {} : { [INSTEAD_OF]: dead.first }),
        };
        const author = {
          identity: Object.keys(evidence).length === 0 ? identity : { ...identity, evidence },
          recordedAt,
        };
        const draft = new Draft(this.decider, this.fold);
        draft.add(decision.events, decision.indexes, author);
        draft.addOwed();
        return { decision, draft };
      }
      if (this.#isCurrent) return { decision };
    } catch (cause) {
      if (this.#isCurrent || !(cause instanceof Refusal)) throw cause;
    }
    this.#mustRead = true;
    return undefined;
  }

  /** Folds the stream anew, up to and including this event. */
  async #foldTo(end: number): Promise<StreamFold<State, Command, Event>> {
    const { stream } = this.fold;
    const fold = new StreamFold(stream, this.decider);
    for await (const event of this.eventStore.readStream(stream, { from: 0, limit: end + 1 }))
      fold.absorb(event);
    return fold;
  }

  #requireVersion(expected: number | undefined, actual: number): void {
    if (expected !== undefined && expected !== actual)
      throw new Refusal('VERSION_CONFLICT', { what: this.fold.stream, expected, actual });
  }

  /**
   * Appends a draft. If the log already holds the same event id at the same number, it acknowledges the append as a
   * retry, without comparing the content. So if another attempt may append other events under the same ids, the last
   * event is read back. If it has another hash, or a leader that was paused does not have it, this attempt has lost the
   * race (SPEC I7): a fold with a head that the log lacks would break the hash chain with its next append.
   */
  async #append(draft: Draft<State, Command, Event>): Promise<void> {
    const { stream } = this.fold;
    const { expectedRevision } = draft;
    if (this.fold.epoch !== this.eventStore.epoch)
      throw new EventStoreUnavailable(`The connection was lost after ${stream} was read`);
    const appended = await this.eventStore.append(stream, expectedRevision, draft.events);
    const last = draft.steps.at(-1)!;
    const isProven = this.#failures === 0 && !draft.mayRace;
    if (!isProven && !(await this.#isLogged(last.number, last.metadata.hash)))
      throw new RevisionConflict(stream, expectedRevision, undefined);
    this.fold.commit(draft.steps, appended);
    this.#isCurrent = true;
  }

  /** True if the log has an event with this number and hash. The hash covers all events before it. */
  async #isLogged(number: number, hash: string): Promise<boolean> {
    const { eventStore, fold } = this;
    const inLog = eventStore.readStream(fold.stream, { from: number, limit: 1 });
    for await (const { metadata } of inLog) if (metadata.hash === hash) return true;
    return false;
  }

  /** Runs a step. Returns false if it failed in a way that allows another attempt. */
  async #tried(step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (cause) {
      this.#mustRead = true;
      if (cause instanceof RevisionConflict) await this.#waitAfterConflict(cause);
      else if (cause instanceof AmbiguousAppend || cause instanceof EventStoreUnavailable)
        await this.#waitAfterFailure(cause);
      else if (cause instanceof LogFull)
        throw new Refusal('STORAGE_FULL', { stream: this.fold.stream }).causedBy(cause);
      else if (cause instanceof AppendRefused) throw this.#failed(cause, { reason: cause.message });
      else throw cause;
      return false;
    }
  }

  async #waitAfterConflict(cause: RevisionConflict): Promise<void> {
    this.#conflicts += 1;
    if (this.#conflicts > MAX_CONFLICTS) throw this.#failed(cause);
    if (this.#conflicts > 1) await sleep(Math.min(this.#conflicts, MAX_CONFLICT_PAUSE_MS));
  }

  /**
   * Waits before the one retry that is allowed. An append with an unknown outcome is not retried if the
   * log contains it (SPEC F1, I7).
   */
  async #waitAfterFailure(cause: AmbiguousAppend | EventStoreUnavailable): Promise<void> {
    this.#failures += 1;
    if (cause instanceof AmbiguousAppend && (await this.#isInLog())) return;
    if (this.#failures > 1) throw this.#failed(cause);
    await sleep(retryDelayMs(this.fold.stream));
  }

  async #isInLog(): Promise<boolean> {
    const before = this.fold.version;
    try {
      await this.refresh();
    } catch (cause) {
      if (cause instanceof EventStoreUnavailable) return false;
      throw cause;
    }
    const isTaken = this.#commandId === undefined || this.fold.hasTaken(this.#commandId);
    return isTaken && this.fold.version > before;
  }

  /** Reads the events after the fold's version, and folds them. */
  async refresh(): Promise<void> {
    if (this.fold.epoch !== this.eventStore.epoch) await this.#compare();
    const { stream, version } = this.fold;
    for await (const event of this.eventStore.readStream(stream, { from: version + 1 }))
      this.fold.absorb(event);
    this.fold.isRead = true;
  }

  /** Resets the fold if the log goes on lacking its last event: the server came back with another log. */
  async #compare(): Promise<void> {
    const { fold, eventStore } = this;
    const { version, headHash } = fold;
    let epoch = eventStore.epoch;
    const isGone = await lasting(async () => {
      epoch = eventStore.epoch;
      if (version === NO_STREAM) return undefined;
      return (await this.#isLogged(version, headHash)) ? undefined : true;
    });
    if (isGone) fold.reset();
    fold.epoch = epoch;
  }

  #failedBesideErasure(): Refusal {
    const refusal = this.#failed();
    refusal.isBesideErasure = true;
    return refusal;
  }

  #failed(cause?: Error, logged?: JsonObject): Refusal {
    const { stream } = this.fold;
    const { writeFailure } = this.options;
    return new Refusal(writeFailure, { stream }, undefined, logged).causedBy(cause);
  }
}
