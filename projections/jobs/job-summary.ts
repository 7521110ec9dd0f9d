import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import type { JobEvent } from '#domain/job/events.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Logged } from '#read-model/projection.js';

/** A row of the `job` table. */
export interface JobSummary {
  readonly job_seed: string;
  readonly position: string;
  status: 'running' | 'ended';
  readonly owner_sub: string;
  /** The user's id, folded: without an initial `user_` and in lower case (SPEC I9). */
  readonly owner_user_id: string | null;
  readonly session_id: string | null;
  goal: string | null;
  tick: number;
  version: number;
  wm_count: number;
  cwm_count: number;
  promotions: number;
  episodes: number;
  reads: number;
  readonly sem_snapshot_id: string;
  readonly episodic_snapshot_id: string;
  readonly brainstate_snapshot_id: string;
  readonly started_at: string;
  last_event_at: string;
  ended_at: string | null;
}

/** A row of the `timeline` table, or the counts that a batch adds to one. */
export interface TickSummary {
  readonly job_seed: string;
  readonly tick: number;
  readonly first_number: number;
  last_number: number;
  readonly first_at: string;
  last_at: string;
  inserted: number;
  referenced: number;
  promoted: number;
  returned: number;
  expired: number;
  evicted: number;
  episodes: number;
  reads: number;
  goals: number;
}

export const startedJob = ({
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

export const emptyTick = (job: JobSummary, { number, metadata }: LoggedEvent): TickSummary => ({
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

/** Applies an event to the row of its job, in which the tick is already set. */
export function applyToJob(job: JobSummary, event: Logged<JobEvent>): void {
  job.version = event.number;
  job.last_event_at = event.metadata.recorded_at;
  switch (event.type) {
    case 'job_started':
    case 'ticked':
    case 'wm_referenced':
    case 'cwm_referenced':
    case 'cwm_aged':
      return;
    case 'wm_inserted':
      job.wm_count += 1;
      return;
    case 'promotion_event':
      job.promotions += 1;
      job.wm_count -= 1;
      job.cwm_count += 1;
      return;
    case 'cwm_returned':
      job.wm_count += 1;
      job.cwm_count -= 1;
      return;
    case 'wm_expired':
    case 'wm_forgotten':
      job.wm_count -= 1;
      return;
    case 'cwm_expired':
    case 'cwm_evicted':
    case 'cwm_forgotten':
      job.cwm_count -= 1;
      return;
    case 'goal_set':
      job.goal = event.data.goal;
      return;
    case 'episode_written':
    case 'episode_consolidated':
    case 'episodic_summary':
      job.episodes += 1;
      return;
    case 'memory_read':
      job.reads += 1;
      return;
    case 'job_ended':
      job.status = 'ended';
      job.ended_at = event.metadata.recorded_at;
      return;
    default: // The list of jobs does not show the steps of a query; the query's answer does.
      return;
  }
}

/** Adds an event to the counts of its tick. */
export function applyToTick(tick: TickSummary, event: Logged<JobEvent>): void {
  tick.last_number = event.number;
  tick.last_at = event.metadata.recorded_at;
  switch (event.type) {
    case 'job_started':
    case 'ticked':
    case 'cwm_aged':
    case 'job_ended':
      return;
    case 'wm_inserted':
      tick.inserted += 1;
      return;
    case 'wm_referenced':
    case 'cwm_referenced':
      tick.referenced += 1;
      return;
    case 'promotion_event':
      tick.promoted += 1;
      return;
    case 'cwm_returned':
      tick.returned += 1;
      return;
    case 'wm_expired':
    case 'cwm_expired':
      tick.expired += 1;
      return;
    case 'cwm_evicted':
      tick.evicted += 1;
      return;
    case 'goal_set':
      tick.goals += 1;
      return;
    case 'episode_written':
    case 'episode_consolidated':
    case 'episodic_summary':
      tick.episodes += 1;
      return;
    case 'memory_read':
      tick.reads += 1;
      return;
    default:
      return;
  }
}
