import { jobDecider } from '#domain/job/decider.js';
import { seedOfJobStream } from '#domain/stream-names.js';
import { bigint, int, orNull, text, type RowOf, type RowWith } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { jobAfter } from './job-summary.js';

const JOB_COLUMNS = {
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
};
export type JobSummary = RowWith<typeof JOB_COLUMNS>;

/** One row per job, for lists and dashboards. A single job is read from its stream. */
export const JOB = foldedTable('jobs.job', {
  reads: [jobDecider],
  key: ['job_seed'],
  columns: JOB_COLUMNS,
  unique: [['position']],
  indexes: {
    job_by_status: '(status, position)',
    job_by_session: '(session_id, position) where session_id is not null',
    job_by_owner: '(owner_sub, position)',
  },
  at: ({ stream }) => [{ job_seed: seedOfJobStream(stream) }],
  row: jobAfter,
});

/** The snapshots that jobs have pinned, with the number of SEM events that they cover. */
export const PINNED_SNAPSHOT = foldedTable('jobs.pinned_snapshot', {
  reads: [jobDecider],
  types: ['job_started'],
  key: ['hash'],
  columns: {
    hash: text(),
    event_count: bigint(),
    first_job_seed: text(),
  },
  adds: ({ data: { job_seed, snapshots } }) => {
    const { sem_snapshot_hash: hash, sem_event_count } = snapshots;
    return [{ hash, event_count: String(sem_event_count), first_job_seed: job_seed }];
  },
  keepsFirst: true,
});
export type PinnedRow = RowOf<typeof PINNED_SNAPSHOT>;
