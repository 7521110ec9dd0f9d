import { jobDecider } from '#domain/job/decider.js';
import { seedOfJobStream } from '#domain/stream-names.js';
import { bigint, text, type RowOf } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { jobAfter, JOB_COLUMNS } from './job-summary.js';

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
    job_by_user: '(owner_user_id, position) where owner_user_id is not null',
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
