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

/** Returns what an event changes in the row of its job. */
function changeOf(job: JobSummary, event: Logged<JobEvent>): Partial<JobSummary> {
  switch (event.type) {
    case 'ticked':
      return { tick: event.data.tick };
    case 'wm_inserted':
      return { wm_count: job.wm_count + 1 };
    case 'promotion_event':
      return {
        promotions: job.promotions + 1,
        wm_count: job.wm_count - 1,
        cwm_count: job.cwm_count + 1,
      };
    case 'cwm_returned':
      return { wm_count: job.wm_count + 1, cwm_count: job.cwm_count - 1 };
    case 'wm_expired':
    case 'wm_forgotten':
      return { wm_count: job.wm_count - 1 };
    case 'cwm_expired':
    case 'cwm_evicted':
    case 'cwm_forgotten':
      return { cwm_count: job.cwm_count - 1 };
    case 'goal_set':
      return { goal: event.data.goal };
    case 'episode_written':
    case 'episode_consolidated':
    case 'episodic_summary':
      return { episodes: job.episodes + 1 };
    case 'memory_read':
      return { reads: job.reads + 1 };
    case 'job_ended':
      return { status: 'ended', ended_at: event.metadata.recorded_at };
    default: // The list of jobs does not show the steps of a query; the query's answer does.
      return {};
  }
}

/** Returns the row of a job after an event. */
export function jobAfter(before: JobSummary | undefined, event: Logged<JobEvent>): JobSummary {
  const job = event.type === 'job_started' ? startedJob(event) : before;
  if (job === undefined) throw new Error('a job has an event before job_started');
  const seen = { version: event.number, last_event_at: event.metadata.recorded_at };
  return { ...job, ...seen, ...changeOf(job, event) };
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
  const tick = before ?? emptyTick(job, event);
  const seen = { last_number: event.number, last_at: event.metadata.recorded_at };
  if (!isCounted(event.type)) return { ...tick, ...seen };
  const count = COUNTED_BY[event.type];
  return { ...tick, ...seen, [count]: tick[count] + 1 };
}
