import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentAnswer } from '#agents/agent.js';
import { Refusal } from '#domain/errors/refusal.js';
import {
  initialJob,
  type JobState,
  jobStream,
  seedOfJobStream,
  startedJob,
} from '#domain/job/state.js';
import { nextStep, type Step } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { SemQueries } from '#projections/sem/queries.js';
import { JobClosing } from '../jobs/job-closing.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE, KEYED_HASH, LOGGER } from '../platform/tokens.js';
import { AgentHearing } from './agent-hearing.js';
import { ConfirmationHearing } from './confirmation-hearing.js';
import { CouncilHearing } from './council-hearing.js';
import { PinnedFacts } from './pinned-facts.js';
import type { Hearer, Hearing } from './query-hearing.js';
import { type Beginning, BegunElsewhere, QueryRecording } from './query-recording.js';

/** Calls that may lie between two appends, each as long as agent_timeout_ms: an agent, and the council. */
const STEP_CALLS = 2;
const GRACE_MS = 2_000;
const LOOK_AGAIN_MS = 100;
/** Forgetting one costs a wait. */
const MOST_DROPPED = 10_000;

/** On whose behalf a query is driven. */
export interface Drive {
  readonly actor: string;
  readonly trace_id: string;
}

/** A query that is begun now. */
export interface Begun extends Beginning {
  readonly query_id: string;
}

/** A query under way, and what request began it, where one of this process did. */
interface Driven {
  readonly ended: Promise<Loaded<JobState>>;
  readonly identity: CommandIdentity | undefined;
}

/**
 * Brings a query from what is recorded to its end and its log: does what it needs next, records what came
 * of it, until it needs nothing (SPEC A4). Doing it again, at once or after a crash, asks nobody twice for
 * what is recorded.
 */
@Injectable()
export class QueryDriver {
  private readonly driven = new Map<string, Driven>();
  /** What this process began to drive and could not bring to its end. */
  private readonly dropped = new Set<string>();

  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly facts: SemQueries,
    private readonly closing: JobClosing,
    private readonly agents: AgentHearing,
    private readonly council: CouncilHearing,
    private readonly confirmations: ConfirmationHearing,
  ) {}

  /** Whether this process is at it. */
  isDriven(seed: string): boolean {
    return this.driven.has(seed);
  }

  /**
   * Resolves with the ended job once its log is written. Whoever comes while it is driven waits for the same.
   * @param begun a query that nothing is recorded of yet; otherwise what is recorded is read.
   */
  drive(seed: string, drive: Drive, begun?: Begun): Promise<Loaded<JobState>> {
    const under = this.driven.get(seed);
    if (under !== undefined && mayShare(under, begun)) return under.ended;
    // Another request wants the same job: whether it may have it shows when this one is done.
    const before = under?.ended.catch(() => undefined) ?? Promise.resolve();
    const ended = before.then(() => this.begunOnce(seed, drive, begun));
    const driven: Driven = { ended, identity: begun?.identity };
    this.driven.set(seed, driven);
    const forget = (): void => {
      if (this.driven.get(seed) === driven) this.driven.delete(seed);
    };
    ended.then(forget, forget);
    return ended;
  }

  /** As `drive`, but not while another process may still be at it. */
  async join(seed: string, drive: Drive): Promise<Loaded<JobState>> {
    while (!this.isDriven(seed) && (await this.isUnderWay(seed))) await sleep(LOOK_AGAIN_MS);
    return this.drive(seed, drive);
  }

  /** Who comes second with the same request waits for the first, and goes on only where that one stopped. */
  private async begunOnce(
    seed: string,
    drive: Drive,
    begun: Begun | undefined,
  ): Promise<Loaded<JobState>> {
    try {
      return await this.toTheEnd(seed, drive, begun);
    } catch (cause) {
      if (!(cause instanceof BegunElsewhere)) throw cause;
    }
    while (await this.isUnderWay(seed)) await sleep(LOOK_AGAIN_MS);
    return this.toTheEnd(seed, drive, undefined);
  }

  /** Takes up what nobody is at any more, behind the back of a process manager, which looks again. */
  async takeUp(seed: string): Promise<void> {
    if (this.isDriven(seed) || (await this.isUnderWay(seed))) return;
    this.drive(seed, { actor: 'system', trace_id: 'obligation' }).catch((cause: unknown) => {
      const error = cause instanceof Error ? cause.name : 'unknown';
      this.logger.warn({ type: 'query_not_finished', job_seed: seed, error });
    });
  }

  private noteDropped(seed: string): void {
    if (this.dropped.size >= MOST_DROPPED) this.dropped.clear();
    this.dropped.add(seed);
  }

  /** Whether it was heard of so lately that its next step may be on its way somewhere else. */
  private async isUnderWay(seed: string): Promise<boolean> {
    if (this.dropped.has(seed)) return false;
    const { state } = await this.jobs.load(jobStream(seed));
    if (state.status !== 'running') return false;
    const last = await this.eventStore.lastOf(state.stream);
    const patience = STEP_CALLS * startedJob(state).constants.agent_timeout_ms + GRACE_MS;
    return Date.parse(last?.metadata.recorded_at ?? '') + patience > Date.now();
  }

  private async toTheEnd(
    seed: string,
    drive: Drive,
    begun: Begun | undefined,
  ): Promise<Loaded<JobState>> {
    const stream = jobStream(seed);
    const recorded = begun ? initialJob(stream) : (await this.jobs.load(stream)).state;
    const recording = new QueryRecording(this.jobs, this.keyedHash, drive, recorded, begun);
    try {
      const { status } = recording.state;
      const times = status === 'running' ? await this.bringToEnd(recording, drive) : undefined;
      // Where all of it was heard here, the log need not be asked how long that took.
      const run = begun && times && { query_id: begun.query_id, agent_time_ms: times };
      const ended = await this.closing.close(seed, drive.trace_id, run);
      this.dropped.delete(seed);
      return ended;
    } catch (cause) {
      if (recording.isBegun) this.noteDropped(seed);
      throw cause;
    }
  }

  /** Answers how long each call of an agent took; undefined where others went on with the query meanwhile. */
  private async bringToEnd(
    recording: QueryRecording,
    { trace_id }: Drive,
  ): Promise<ReadonlyMap<number, number> | undefined> {
    const facts = new PinnedFacts(this.facts, startedJob(recording.state));
    const times = new Map<number, number>();
    let raw: AgentAnswer | undefined;
    while (recording.state.status === 'running') {
      const job = recording.state;
      const query = queryOf(job);
      const step = nextStep(query);
      if (step.step === 'end') {
        recording.add([{ op: 'end' }]);
        await recording.flush();
        continue;
      }
      // Who is outside may take long, cost something, or act on it: what led to it is recorded first.
      if (!this.isLocal(step)) await recording.flush();
      const heard = await this.hear(step, { job, query, facts, trace_id, raw });
      if (step.step === 'agent') {
        raw = heard.raw;
        times.set(step.call, heard.time_ms);
      }
      recording.add(heard.commands, { [`${step.step}_time_ms`]: heard.time_ms });
      if (heard.atOnce) await recording.flush();
    }
    return recording.wasShared ? undefined : times;
  }

  private isLocal(step: Exclude<Step, { step: 'end' }>): boolean {
    switch (step.step) {
      case 'agent':
        return this.agents.isLocal(step.agent_id);
      case 'council':
        return this.council.isLocal;
      case 'verification':
      case 'confirmation':
        return false;
    }
  }

  private hear(step: Exclude<Step, { step: 'end' }>, hearer: Hearer): Promise<Hearing> {
    switch (step.step) {
      case 'agent':
        return this.agents.hear(hearer, step);
      case 'council':
      case 'verification':
        return this.council.hear(hearer, step);
      case 'confirmation':
        return this.confirmations.hear(hearer, step.confirmation);
    }
  }
}

const mayShare = ({ identity }: Driven, begun: Begun | undefined): boolean =>
  begun === undefined ||
  (identity?.command_id === begun.identity.command_id &&
    identity.body_hash === begun.identity.body_hash);

function queryOf({ query, stream }: JobState): QueryState {
  if (query !== undefined) return query;
  throw new Refusal('NOT_FOUND', { what: 'query', id: seedOfJobStream(stream) });
}
