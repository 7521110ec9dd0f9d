import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import type { JobEvent } from '#domain/job/events.js';
import type { Logged } from '#read-model/projection.js';
import { bigint, int, orNull, type RowWith, text } from '#read-model/columns.js';

export const JOB_COLUMNS = {
  job_seed: text(),
  /** Commit position of job_started: the order of lists, and their cursor. */
  position: bigint(),
  status: text<'running' | 'ended'>(),
  owner_sub: text(),
  /** The user's id, folded: without an initial `user_` and in lower case (SPEC I9). */
  owner_user_id: orNull(text()),
  session_id: orNull(text()),
  goal: orNull(text()),
  tick: int(),
  /** The number of the stream's last event. */
  version: int(),
  wm_count: int(),
  cwm_count: int(),
  promotions: int(),
  episodes: int(),
  reads: int(),
  sem_snapshot_id: text(),
  episodic_snapshot_id: text(),
  brainstate_snapshot_id: text(),
  started_at: text(),
  last_event_at: text(),
  ended_at: orNull(text()),
  /** Commit position of the stream's last event: a list of an earlier position folds the job anew. */
  last_position: bigint(),
};
export type JobSummary = RowWith<typeof JOB_COLUMNS>;

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
  last_position: position.toString(),
});

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

export function jobAfter(before: JobSummary | undefined, event: Logged<JobEvent>): JobSummary {
  const job: Mutable<JobSummary> | undefined =
    event.type === 'job_started' ? startedJob(event) : before && { ...before };
  if (job === undefined) throw new Error('a job has an event before job_started');
  job.version = event.number;
  job.last_event_at = event.metadata.recorded_at;
  job.last_position = event.position.toString();
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
