import type { JobEvent } from '#domain/job/events.js';
import { jobStream, seedOfJobStream } from '#domain/job/state.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';
import {
  applyToJob,
  applyToTick,
  emptyTick,
  type JobSummary,
  startedJob,
  type TickSummary,
} from './job-summary.js';

const JOBS = 'select * from job where job_seed = any($1::text[])';

const UPSERT_JOBS = `
  insert into job
  select * from json_to_recordset($1::json) as row (
    job_seed text, position bigint, status text, owner_sub text, owner_user_id text,
    session_id text, goal text, tick int, version int, wm_count int, cwm_count int,
    promotions int, episodes int, reads int, sem_snapshot_id text, episodic_snapshot_id text,
    brainstate_snapshot_id text, started_at text, last_event_at text, ended_at text)
  on conflict (job_seed) do update set status = excluded.status, goal = excluded.goal,
    tick = excluded.tick, version = excluded.version, wm_count = excluded.wm_count,
    cwm_count = excluded.cwm_count, promotions = excluded.promotions,
    episodes = excluded.episodes, reads = excluded.reads,
    last_event_at = excluded.last_event_at, ended_at = excluded.ended_at`;

const ADD_TO_TIMELINE = `
  insert into timeline
  select * from json_to_recordset($1::json) as row (
    job_seed text, tick int, first_number int, last_number int, first_at text, last_at text,
    inserted int, referenced int, promoted int, returned int, expired int, evicted int,
    episodes int, reads int, goals int)
  on conflict (job_seed, tick) do update set last_number = excluded.last_number,
    last_at = excluded.last_at, inserted = timeline.inserted + excluded.inserted,
    referenced = timeline.referenced + excluded.referenced,
    promoted = timeline.promoted + excluded.promoted,
    returned = timeline.returned + excluded.returned,
    expired = timeline.expired + excluded.expired, evicted = timeline.evicted + excluded.evicted,
    episodes = timeline.episodes + excluded.episodes, reads = timeline.reads + excluded.reads,
    goals = timeline.goals + excluded.goals`;

const INSERT_SNAPSHOTS = `
  insert into pinned_snapshot
  select * from json_to_recordset($1::json) as row (
    hash text, event_count bigint, first_job_seed text)
  on conflict do nothing`;

/**
 * The list of jobs with a summary of their state, a timeline of their ticks, and the snapshots that they
 * pinned.
 */
@Projector({
  name: 'jobs',
  version: 3,
  tables: readTables(import.meta.url),
  categories: ['job'],
})
export class JobsProjection implements EventProjector {
  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    const jobs = await knownJobs(tx, events);
    const ticks = new Map<string, TickSummary>();
    for (const logged of events) {
      const event = logged as unknown as JobEvent;
      if (event.type === 'job_started') jobs.set(logged.stream, startedJob(logged, event));
      const job = jobs.get(logged.stream);
      if (job === undefined) throw new Error('a job has an event before job_started');
      if (event.type === 'ticked') job.tick = event.data.tick;
      applyToJob(job, logged, event);
      applyToTick(tickOf(ticks, job, logged), logged, event);
    }
    await tx.query(UPSERT_JOBS, [JSON.stringify([...jobs.values()])]);
    await tx.query(ADD_TO_TIMELINE, [JSON.stringify([...ticks.values()])]);
    await projectPins(tx, events);
  }
}

/** Returns the existing rows of the jobs to which the events belong, keyed by stream. */
async function knownJobs(
  tx: ProjectionTransaction,
  events: readonly LoggedEvent[],
): Promise<Map<string, JobSummary>> {
  const seeds = new Set(events.map(({ stream }) => seedOfJobStream(stream)));
  const rows = await tx.query<JobSummary>(JOBS, [[...seeds]]);
  return new Map(rows.map((row) => [jobStream(row.job_seed), row]));
}

function tickOf(
  ticks: Map<string, TickSummary>,
  job: JobSummary,
  logged: LoggedEvent,
): TickSummary {
  const id = `${job.tick} ${job.job_seed}`;
  const tick = ticks.get(id) ?? emptyTick(job, logged);
  ticks.set(id, tick);
  return tick;
}

async function projectPins(tx: ProjectionTransaction, events: readonly LoggedEvent[]) {
  const pins = new Map<string, object>();
  for (const event of events) {
    const jobEvent = event as unknown as JobEvent;
    if (jobEvent.type !== 'job_started') continue;
    const { job_seed, snapshots } = jobEvent.data;
    const hash = snapshots.sem_snapshot_hash;
    if (pins.has(hash)) continue;
    pins.set(hash, { hash, event_count: snapshots.sem_event_count, first_job_seed: job_seed });
  }
  if (pins.size > 0) await tx.query(INSERT_SNAPSHOTS, [JSON.stringify([...pins.values()])]);
}
