import { randomUUID } from 'node:crypto';
import { fold } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobCommand } from '#domain/job/commands.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobState } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';

/** How a query begins: its first commands, under the identity of the request that asks it. */
export interface Beginning {
  readonly commands: readonly JobCommand[];
  readonly identity: CommandIdentity;
  /** As for `AggregateStore.execute`. */
  readonly isNew: boolean;
}

/** The same request has begun the query already, here or in another process (SPEC I7). */
export class BegunElsewhere extends Error {
  override readonly name = 'BegunElsewhere';
}

/**
 * A query's job, as far as it is recorded, and what was heard since: decided at once and appended together,
 * so that a query that asks nobody outside costs one append (SPEC A4).
 */
export class QueryRecording {
  private recorded: JobState;
  private ahead: JobState;
  private pending: JobCommand[] = [];
  private evidence: JsonObject = {};
  private beginning: Beginning | undefined;
  /** Whether somebody else went on with the query as well. */
  wasShared = false;

  constructor(
    private readonly jobs: JobStore,
    private readonly keyedHash: KeyedHash,
    private readonly identity: Pick<CommandIdentity, 'actor' | 'trace_id'>,
    recorded: JobState,
    beginning?: Beginning,
  ) {
    this.recorded = recorded;
    this.ahead = recorded;
    this.beginning = beginning;
    if (beginning !== undefined) this.add(beginning.commands);
  }

  /** The job with everything that was heard. */
  get state(): JobState {
    return this.ahead;
  }

  /** Whether the log holds any of it. */
  get isBegun(): boolean {
    return this.beginning === undefined;
  }

  /** `evidence` stands in the metadata of the append that records it. */
  add(commands: readonly JobCommand[], evidence: JsonObject = {}): void {
    this.pending.push(...commands);
    this.evidence = { ...this.evidence, ...evidence };
    this.ahead = commands.reduce(decided, this.ahead);
  }

  /**
   * Appends what was heard. Where somebody else went on with the query meanwhile, only what it still waits
   * for is taken. Fails with `BegunElsewhere`.
   */
  async flush(): Promise<void> {
    if (this.beginning !== undefined) await this.begin(this.beginning);
    while (this.pending.length > 0) {
      const body_hash = this.keyedHash(this.pending);
      const { evidence } = this;
      const identity = { ...this.identity, command_id: randomUUID(), body_hash, evidence };
      const { stream, version } = this.recorded;
      try {
        await this.jobs.execute(stream, this.pending, identity, { expectedVersion: version });
        this.allRecorded();
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.code !== 'VERSION_CONFLICT') throw cause;
        await this.lookAgain(stream);
      }
    }
  }

  private async begin({ identity, isNew }: Beginning): Promise<void> {
    const evidence = { ...identity.evidence, ...this.evidence };
    const { repeated } = await this.jobs.execute(
      this.recorded.stream,
      this.pending,
      { ...identity, evidence },
      { isNew },
    );
    if (repeated) throw new BegunElsewhere();
    this.beginning = undefined;
    this.allRecorded();
  }

  private allRecorded(): void {
    this.recorded = this.ahead;
    this.pending = [];
    this.evidence = {};
  }

  private async lookAgain(stream: string): Promise<void> {
    this.wasShared = true;
    const { state } = await this.jobs.load(stream);
    // Whether it is to be ended shows when it is known how far it is.
    const heard = this.pending.filter(({ op }) => op !== 'end');
    this.pending = state.status === 'ended' ? [] : heard;
    this.recorded = state;
    this.ahead = this.pending.reduce(decided, state);
  }
}

/** The job after a command, with what it owes then. */
const decided = (state: JobState, command: JobCommand): JobState => {
  const after = fold(jobDecider, state, jobDecider.decide(command, state));
  return fold(jobDecider, after, jobDecider.owed?.(after) ?? []);
};
