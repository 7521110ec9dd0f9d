import { SealedTable } from '#read-model/sealed-table.js';
import type { JobSummary, TickSummary } from './job-summary.js';

export const JOB = new SealedTable<JobSummary>('jobs.job', ['job_seed'], {
  job_seed: 'plain',
  position: 'bigint',
  status: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
  session_id: 'plain',
  goal: 'plain',
  tick: 'plain',
  version: 'plain',
  wm_count: 'plain',
  cwm_count: 'plain',
  promotions: 'plain',
  episodes: 'plain',
  reads: 'plain',
  sem_snapshot_id: 'plain',
  episodic_snapshot_id: 'plain',
  brainstate_snapshot_id: 'plain',
  started_at: 'plain',
  last_event_at: 'plain',
  ended_at: 'plain',
});

export const TIMELINE = new SealedTable<TickSummary>('jobs.timeline', ['job_seed', 'tick'], {
  job_seed: 'plain',
  tick: 'plain',
  first_number: 'plain',
  last_number: 'plain',
  first_at: 'plain',
  last_at: 'plain',
  inserted: 'plain',
  referenced: 'plain',
  promoted: 'plain',
  returned: 'plain',
  expired: 'plain',
  evicted: 'plain',
  episodes: 'plain',
  reads: 'plain',
  goals: 'plain',
});

/** A row of the `pinned_snapshot` table. */
export interface PinnedRow {
  readonly hash: string;
  readonly event_count: string | number;
  readonly first_job_seed: string;
}

export const PINNED_SNAPSHOT = new SealedTable<PinnedRow>('jobs.pinned_snapshot', ['hash'], {
  hash: 'plain',
  event_count: 'bigint',
  first_job_seed: 'plain',
});
