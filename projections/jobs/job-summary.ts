import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import type { JobEvent } from '#domain/job/events.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Logged } from '#read-model/projection.js';
import type { JobSummary, TickSummary } from './tables.js';

const startedJob = ({
  position,
  number,
  metadata: { recorded_at },
  data,
}: Logged<Extract<JobEvent, { type: 'job_started' }>>): JobSummary => ({
  job_seed: data.job_seed,
  position: position.toString(),
  status: 'running',
  owner_sub: data.owner.sub,
  owner_user_id: data.owner.user_id === null ? null : foldUserId(data.owner.user_id),
  session_id: data.session_id,
  goal: data.goal,
  tick: 0,
  version: number,
  wm_count: 0,
  cwm_count: data.carried_cwm?.items.length ?? 0,
  promotions: 0,
  episodes: 0,
  reads: 0,
  sem_snapshot_id: data.snapshots.sem_snapshot_id,
  episodic_snapshot_id: data.snapshots.episodic_snapshot_id,
  brainstate_snapshot_id: data.snapshots.brainstate_snapshot_id,
  started_at: recorded_at,
  last_event_at: recorded_at,
  ended_at: null,
});

const emptyTick = (job: JobSummary, { number, metadata }: LoggedEvent): TickSummary => ({
  job_seed: job.job_seed,
  tick: job.tick,
  first_number: number,
  last_number: number,
  first_at: metadata.recorded_at,
  last_at: metadata.recorded_at,
  inserted: 0,
  referenced: 0,
  promoted: 0,
  returned: 0,
  expired: 0,
  evicted: 0,
  episodes: 0,
  reads: 0,
  goals: 0,
});

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

export function jobAfter(before: JobSummary | undefined, event: Logged<JobEvent>): JobSummary {
  const job: Mutable<JobSummary> | undefined =
    event.type === 'job_started' ? startedJob(event) : before && { ...before };
  if (job === undefined) throw new Error('a job has an event before job_started');
  job.version = event.number;
  job.last_event_at = event.metadata.recorded_at;
  switch (event.type) {
    case 'ticked':
      job.tick = event.data.tick;
      break;
    case 'wm_inserted':
      job.wm_count += 1;
      break;
    case 'promotion_event':
      job.promotions += 1;
      job.wm_count -= 1;
      job.cwm_count += 1;
      break;
    case 'cwm_returned':
      job.wm_count += 1;
      job.cwm_count -= 1;
      break;
    case 'wm_expired':
    case 'wm_forgotten':
      job.wm_count -= 1;
      break;
    case 'cwm_expired':
    case 'cwm_evicted':
    case 'cwm_forgotten':
      job.cwm_count -= 1;
      break;
    case 'goal_set':
      job.goal = event.data.goal;
      break;
    case 'episode_written':
    case 'episode_consolidated':
    case 'episodic_summary':
      job.episodes += 1;
      break;
    case 'memory_read':
      job.reads += 1;
      break;
    case 'job_ended':
      job.status = 'ended';
      job.ended_at = event.metadata.recorded_at;
      break;
    default: // The list of jobs does not show the steps of a query; the query's answer does.
      break;
  }
  return job;
}

/** The count of its tick that an event of each type adds to. */
const COUNTED_BY = {
  wm_inserted: 'inserted',
  wm_referenced: 'referenced',
  cwm_referenced: 'referenced',
  promotion_event: 'promoted',
  cwm_returned: 'returned',
  wm_expired: 'expired',
  cwm_expired: 'expired',
  cwm_evicted: 'evicted',
  goal_set: 'goals',
  episode_written: 'episodes',
  episode_consolidated: 'episodes',
  episodic_summary: 'episodes',
  memory_read: 'reads',
} as const satisfies { readonly [Type in JobEvent['type']]?: keyof TickSummary };

const isCounted = (type: string): type is keyof typeof COUNTED_BY =>
  Object.hasOwn(COUNTED_BY, type);

/** Returns the row of a tick after one of its events. */
export function tickAfter(
  before: TickSummary | undefined,
  job: JobSummary,
  event: Logged<JobEvent>,
): TickSummary {
  const tick: Mutable<TickSummary> = before === undefined ? emptyTick(job, event) : { ...before };
  tick.last_number = event.number;
  tick.last_at = event.metadata.recorded_at;
  if (isCounted(event.type)) tick[COUNTED_BY[event.type]] += 1;
  return tick;
}
