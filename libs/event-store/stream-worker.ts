import type { Decider, DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AmbiguousAppend,
  type EventStore,
  EventStoreUnavailable,
  LogFull,
  RevisionConflict,
} from './event-store.js';
import { type Executed, executedOf, type Intent, Plan } from './plan.js';
import { type Answer, type Loaded, StreamFold } from './stream-fold.js';

/** What a failed append is answered with, as the kind of stream asks (SPEC F1). */
export type WriteFailure = 'MEMORY_WRITE_FAIL' | 'SEM_WRITE_FAIL';

interface Asked<Result> {
  resolve(result: Result): void;
  reject(cause: unknown): void;
}

interface Asking<Command> extends Asked<Executed> {
  readonly intent: Intent<Command>;
  /** It was sent in an append whose outcome is not known to be a failure. */
  sent: boolean;
}

type Turn<State, Command> =
  | ({ readonly kind: 'load' | 'settle' } & Asked<Loaded<State>>)
  | ({ readonly kind: 'execute' } & Asking<Command>);

/** Lost races after which a stream counts as unwritable. */
const MOST_CONFLICTS = 1000;
const LONGEST_CONFLICT_PAUSE_MS = 25;
/** Commands waiting together that are tried in one append. */
const GROUP = 256;

/** How long a failed append waits for its one retry (SPEC F1), in milliseconds. */
export const retryDelayMs = (stream: string): number =>
  50 + (createHash('sha256').update(stream).digest().readUInt16BE(0) % 200);

/**
 * Does one thing at a time to one stream, in the order asked. Commands that wait together are decided one
 * after the other and appended together; each stays atomic, and is refused alone.
 */
export class StreamWorker<State, Command, Event extends DomainEvent> {
  #turns: Turn<State, Command>[] = [];
  #running = false;
  /** The fold may hold events that were acknowledged for another process's, whose hashes differ. */
  #isUnsure = false;

  constructor(
    private readonly eventStore: EventStore,
    private readonly decider: Decider<State, Command, Event>,
    private readonly writeFailure: WriteFailure,
    private fold: StreamFold<State, Command, Event>,
    private readonly onIdle: (fold: StreamFold<State, Command, Event>) => void,
  ) {}

  /** With every event that was in the log when it was asked for. */
  load(): Promise<Loaded<State>> {
    return new Promise((resolve, reject) => this.#ask({ kind: 'load', resolve, reject }));
  }

  /** As `load`, after what the stream owes was appended. */
  settle(): Promise<Loaded<State>> {
    return new Promise((resolve, reject) => this.#ask({ kind: 'settle', resolve, reject }));
  }

  execute(intent: Intent<Command>): Promise<Executed> {
    return new Promise((resolve, reject) =>
      this.#ask({ kind: 'execute', intent, sent: false, resolve, reject }),
    );
  }

  #ask(turn: Turn<State, Command>): void {
    this.#turns.push(turn);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let next = this.#turns[0]; next !== undefined; next = this.#turns[0]) {
      if (next.kind === 'execute') await this.#execute(this.#takeGroup());
      else if (next.kind === 'load') await this.#answer(this.#takeLoads(), () => this.#refresh());
      else await this.#answer(this.#takeSettles(), () => this.#land([], true));
    }
    this.#running = false;
    this.onIdle(this.fold);
  }

  /** Waiting commands go together; one with a condition goes alone. */
  #takeGroup(): Asking<Command>[] {
    const group: Asking<Command>[] = [];
    for (const turn of this.#turns) {
      if (turn.kind !== 'execute' || group.length === GROUP) break;
      const { expectedVersion, provided } = turn.intent;
      const conditional = expectedVersion !== undefined || provided !== undefined;
      if (conditional && group.length > 0) break;
      group.push(turn);
      if (conditional) break;
    }
    this.#turns = this.#turns.slice(group.length);
    return group;
  }

  #takeLoads(): Asked<Loaded<State>>[] {
    const loads = this.#turns.filter((turn) => turn.kind === 'load');
    this.#turns = this.#turns.filter((turn) => turn.kind !== 'load');
    return loads as Asked<Loaded<State>>[];
  }

  #takeSettles(): Asked<Loaded<State>>[] {
    const settles = this.#turns.filter((turn) => turn.kind === 'settle');
    this.#turns = this.#turns.filter((turn) => turn.kind !== 'settle');
    return settles as Asked<Loaded<State>>[];
  }

  async #answer(
    asked: readonly Asked<Loaded<State>>[],
    work: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await work();
      for (const one of asked) one.resolve(this.fold.loaded());
    } catch (cause) {
      this.#distrust(cause);
      for (const one of asked) one.reject(cause);
    }
  }

  async #execute(pending: Asking<Command>[]): Promise<void> {
    try {
      await this.#land(pending, false);
      if (this.#isUnsure) this.#forget();
    } catch (cause) {
      this.#distrust(cause);
      for (const asking of pending) asking.reject(cause);
    }
  }

  /**
   * Works until every pending command is answered and nothing is owed. Answered ones leave `pending`; what
   * is thrown is the answer to those left. A command is answered only from what the log holds: so one that
   * was just appended is found there like one that was taken long ago (SPEC I7).
   */
  async #land(pending: Asking<Command>[], readFirst: boolean): Promise<void> {
    let mustRead = readFirst;
    let current = false;
    let conflicts = 0;
    let failures = 0;
    while (mustRead || pending.length > 0 || this.#owes()) {
      try {
        if (mustRead || !(this.fold.isRead || pending.some(({ intent }) => intent.isNew))) {
          await this.#refresh();
          mustRead = false;
          current = true;
        }
        const plan = this.#plan(pending, current);
        if (plan === 'look_again') {
          mustRead = true;
          continue;
        }
        if (plan.events.length === 0) continue;
        await this.#require(pending);
        if (await this.#append(plan, failures > 0)) {
          current = true;
          continue;
        }
        mustRead = true;
        for (const asking of pending) asking.sent &&= failures > 0;
      } catch (cause) {
        mustRead = true;
        if (cause instanceof RevisionConflict) {
          for (const asking of pending) asking.sent &&= failures > 0;
          conflicts += 1;
          if (conflicts > MOST_CONFLICTS) throw this.#failed();
          if (conflicts > 1) await sleep(Math.min(conflicts, LONGEST_CONFLICT_PAUSE_MS));
        } else if (cause instanceof AmbiguousAppend || cause instanceof EventStoreUnavailable) {
          failures += 1;
          if (await this.#hasLanded(cause, pending)) mustRead = false;
          else if (failures > 1) throw this.#failed();
          else await sleep(retryDelayMs(this.fold.stream));
        } else if (cause instanceof LogFull) {
          throw new Refusal('STORAGE_FULL', { stream: this.fold.stream });
        } else throw cause;
      }
    }
  }

  /** Whatever the commands were made of besides the stream's state, it must still hold. */
  async #require(pending: readonly Asking<Command>[]): Promise<void> {
    for (const { intent } of pending) {
      if (intent.provided === undefined || (await intent.provided)) continue;
      const { stream: what, version } = this.fold;
      throw new Refusal('VERSION_CONFLICT', { what, expected: version, actual: version });
    }
  }

  /**
   * False when the log holds other events in their place. The log takes a known id at the expected place
   * for a retry and acknowledges it, whatever the event says: so where another process may be busy with
   * the same command, perhaps with another body, the acknowledged event is looked at (SPEC I7).
   */
  async #append(plan: Plan<State, Command, Event>, retried: boolean): Promise<boolean> {
    const { stream } = this.fold;
    const appended = await this.eventStore.append(stream, plan.expected, plan.events);
    const last = plan.steps.at(-1)!;
    if (retried || !plan.cannotRace) {
      const from = last.number;
      for await (const event of this.eventStore.readStream(stream, { from, limit: 1 })) {
        if (event.metadata.hash !== last.metadata.hash) return false;
      }
    }
    this.fold.commit(plan.steps, appended);
    this.fold.isRead = true;
    this.#isUnsure ||= plan.mayBeAnothers;
    return true;
  }

  /**
   * Answers what needs no append, and plans the next append for the rest, in order. `current`: the fold
   * holds what was in the log when these commands came. If it may not, nothing but a plan comes of it: a
   * refusal decided on an old state is told only after another look.
   */
  #plan(pending: Asking<Command>[], current: boolean): Plan<State, Command, Event> | 'look_again' {
    const plan = new Plan(this.decider, this.fold);
    if (this.#owes()) {
      plan.addOwed();
      return plan;
    }
    const planned = new Set<string>();
    for (const asking of [...pending]) {
      const { command_id } = asking.intent.identity;
      const known = this.fold.answerTo(command_id);
      if (known !== undefined) {
        answerAgain(asking, known);
        remove(pending, asking);
        continue;
      }
      if (planned.has(command_id)) break;
      planned.add(command_id);
      const outcome = this.#tryAdd(plan, asking.intent);
      if (outcome === 'planned') {
        asking.sent = true;
        if (!plan.addOwed()) break;
        continue;
      }
      // What follows from commands that are not in the log yet is told when they are.
      if (outcome === 'no_room' || plan.events.length > 0) break;
      if (!current) return 'look_again';
      remove(pending, asking);
      if ('refused' in outcome) asking.reject(outcome.refused);
      else asking.resolve(outcome.unchanged);
    }
    return plan;
  }

  #tryAdd(
    plan: Plan<State, Command, Event>,
    intent: Intent<Command>,
  ): 'planned' | 'no_room' | { refused: unknown } | { unchanged: Executed } {
    const { version, position = 0n, stream } = this.fold;
    const { expectedVersion: expected, commands, indexes } = intent;
    try {
      if (expected !== undefined && expected !== version) {
        throw new Refusal('VERSION_CONFLICT', { what: stream, expected, actual: version });
      }
      const added = plan.add(intent);
      if (added === 'no_room') return 'no_room';
      if (added > 0) return 'planned';
      return {
        unchanged: executedOf({ results: [], version, position }, commands.length, indexes),
      };
    } catch (refused) {
      return { refused };
    }
  }

  #owes(): boolean {
    return (this.decider.owed?.(this.fold.state) ?? []).length > 0;
  }

  /** After an append of unknown outcome: whether the log, if it can be read, holds all of it. */
  async #hasLanded(cause: unknown, pending: Asking<Command>[]): Promise<boolean> {
    if (!(cause instanceof AmbiguousAppend)) return false;
    try {
      await this.#refresh();
    } catch (unread) {
      if (unread instanceof EventStoreUnavailable) return false;
      throw unread;
    }
    return pending
      .filter((asking) => asking.sent)
      .every(({ intent }) => this.fold.answerTo(intent.identity.command_id) !== undefined);
  }

  async #refresh(): Promise<void> {
    const { stream, version } = this.fold;
    for await (const event of this.eventStore.readStream(stream, { from: version + 1 })) {
      this.fold.absorb(event);
    }
    this.fold.isRead = true;
  }

  #failed(): Refusal {
    return new Refusal(this.writeFailure, { stream: this.fold.stream });
  }

  /** After anything but a refused or failed write the stream is folded anew from its beginning. */
  #distrust(cause: unknown): void {
    const harmless = cause instanceof EventStoreUnavailable || isWriteFailure(cause);
    if (!harmless || this.#isUnsure) this.#forget();
  }

  #forget(): void {
    this.fold = new StreamFold(this.fold.stream, this.decider);
    this.#isUnsure = false;
  }
}

const isWriteFailure = (cause: unknown): boolean =>
  cause instanceof Refusal && cause.code !== 'INTEGRITY_FAILURE';

function answerAgain<Command>(asking: Asking<Command>, known: Answer): void {
  const { identity, commands, indexes } = asking.intent;
  const { command_id, body_hash } = identity;
  if (known.body_hash !== body_hash) {
    asking.reject(new Refusal('IDEMPOTENCY_MISMATCH', { command_id }));
  } else {
    asking.resolve({ ...executedOf(known, commands.length, indexes), repeated: !asking.sent });
  }
}

function remove<Item>(items: Item[], item: Item): void {
  items.splice(items.indexOf(item), 1);
}
