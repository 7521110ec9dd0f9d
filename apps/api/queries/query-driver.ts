import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobCommand } from '#domain/job/commands.js';
import { type JobState, startedJob } from '#domain/job/state.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { jobStream, seedOfJobStream } from '#domain/stream-names.js';
import type { Loaded, TransactOptions } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { recordedRun } from '../jobs/query-run.js';
import { JobClosing } from '../jobs/job-closing.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { RequestIds } from '../platform/http/request-context.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE, KEYED_HASH, LOGGER } from '../platform/tokens.js';
import { NOTHING_UNRECORDED, QuerySteps, type Recording, type Unrecorded } from './query-steps.js';

/**
 * How many calls can happen between two appends: one to an agent and one to the council. Each has
 * agent_timeout_ms as its timeout.
 */
const CALLS_PER_STEP = 2;
const GRACE_MS = 2_000;
const POLL_MS = 100;
/** The maximum size of the abandoned queries. One that is forgotten is continued only after a wait. */
const MAX_ABANDONED_BYTES = 4 * 1024 * 1024;

/** The actor of the events that are appended while a query is driven, and the ids of its request. */
export interface Requester {
  readonly actor: string;
  readonly ids: RequestIds;
}

/** The last known state of a job, and what only this process knows of its query. */
interface Progress {
  readonly job: Loaded<JobState>;
  readonly unrecorded: Unrecorded;
}

/**
 * Drives a query from its recorded state to its end and its log: takes the next step, records the
 * result, and repeats this until no step is left (SPEC A4). Driving the query a second time, at once or
 * after a crash, does not repeat recorded steps.
 */
@Injectable()
export class QueryDriver {
  private readonly drives = new Map<string, Promise<Loaded<JobState>>>();
  /** The seeds of queries that this process has begun to drive and could not finish. */
  private readonly abandoned = new LruMap<string, true>({
    maxBytes: MAX_ABANDONED_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly steps: QuerySteps,
    private readonly closing: JobClosing,
  ) {}

  /**
   * Starts a query and drives it. `commands` returns the first commands of its job; a repeated request waits
   * for the query of the first one (SPEC I7). Resolves with the ended job after its log is written.
   */
  async ask(
    stream: string,
    identity: CommandIdentity & RequestIds,
    commands: (state: JobState) => Promise<readonly JobCommand[]>,
    options: TransactOptions = {},
  ): Promise<{ readonly job: Loaded<JobState>; readonly isFirst: boolean }> {
    const { actor, query_id, trace_id } = identity;
    const requester = { actor, ids: { query_id, trace_id } };
    const { answer, repeated, after } = await this.jobs.transact(
      stream,
      identity,
      async (state) =>
        this.steps.decide(state, firstRecording(await commands(state)), requester.ids),
      () => NOTHING_UNRECORDED,
      options,
    );
    const seed = seedOfJobStream(stream);
    if (repeated) return { job: await this.join(seed, requester), isFirst: false };
    const progress = { job: after, unrecorded: answer };
    return { job: await this.drive(seed, requester, progress), isFirst: true };
  }

  /** Continues a query that no process seems to drive. It does not wait for the end of the query. */
  async takeUp(seed: string): Promise<void> {
    if (this.drives.has(seed) || (await this.isInOtherProcess(seed))) return;
    const { query_id } = await recordedRun(this.eventStore, jobStream(seed));
    this.drive(seed, { actor: 'system', ids: { query_id, trace_id: 'obligation' } }).catch(
      (cause: unknown) => {
        const error = cause instanceof Error ? cause.name : 'unknown';
        this.logger.warn({ type: 'query_not_finished', job_seed: seed, error });
      },
    );
  }

  /**
   * Waits while another process drives the query, and continues the query here if that process does not
   * finish it.
   */
  private async join(seed: string, requester: Requester): Promise<Loaded<JobState>> {
    while (!this.drives.has(seed) && (await this.isInOtherProcess(seed))) await sleep(POLL_MS);
    return this.drive(seed, requester);
  }

  /** Drives a query. A second call for the same query waits for the result of the first one. */
  private drive(
    seed: string,
    requester: Requester,
    progress?: Progress,
  ): Promise<Loaded<JobState>> {
    const running = this.drives.get(seed);
    if (running !== undefined) return running;
    const ended = this.driveToEnd(seed, requester, progress).finally(() =>
      this.drives.delete(seed),
    );
    this.drives.set(seed, ended);
    return ended;
  }

  private async driveToEnd(
    seed: string,
    requester: Requester,
    progress: Progress | undefined,
  ): Promise<Loaded<JobState>> {
    const stream = jobStream(seed);
    try {
      let { job, unrecorded } = progress ?? {
        job: await this.jobs.settle(stream),
        unrecorded: NOTHING_UNRECORDED,
      };
      while (job.state.status === 'running')
        ({ job, unrecorded } = await this.takeStep({ job, unrecorded }, requester));
      const position = await this.closing.finish(job, requester.ids.trace_id);
      this.abandoned.delete(seed);
      return { ...job, position };
    } catch (cause) {
      this.abandoned.set(seed, true);
      throw cause;
    }
  }

  /**
   * Takes the next step and records its result. If another process has continued the query meanwhile,
   * and the query no longer waits for this result, nothing changes.
   */
  private async takeStep({ job, unrecorded }: Progress, requester: Requester): Promise<Progress> {
    const { actor, ids } = requester;
    const recording = await this.steps.take(job.state, unrecorded, ids);
    const body_hash = this.keyedHash(recording.commands);
    const { answer, after } = await this.jobs.transact(
      job.state.stream,
      { actor, trace_id: ids.trace_id, command_id: randomUUID(), body_hash },
      (state) =>
        state.status === 'running'
          ? this.steps.decide(state, recording, ids)
          : { events: [], answer: recording.unrecorded },
      () => recording.unrecorded,
    );
    return { job: after, unrecorded: answer };
  }

  /** True if the last event is recent, so that another process may be taking the next step. */
  private async isInOtherProcess(seed: string): Promise<boolean> {
    if (this.abandoned.has(seed)) return false;
    const { state } = await this.jobs.load(jobStream(seed));
    if (state.status !== 'running') return false;
    const last = await this.eventStore.lastOf(state.stream);
    const waitMs = CALLS_PER_STEP * startedJob(state).constants.agent_timeout_ms + GRACE_MS;
    return Date.parse(last?.metadata.recorded_at ?? '') + waitMs > Date.now();
  }
}

const firstRecording = (commands: readonly JobCommand[]): Recording => ({
  commands,
  evidence: {},
  mustRecordNow: false,
  unrecorded: NOTHING_UNRECORDED,
});
