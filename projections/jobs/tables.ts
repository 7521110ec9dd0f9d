import { jobDecider } from '#domain/job/decider.js';
import { bigint, int, orNull, text, type RowOf } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { readTable } from '#read-model/read-table.js';

/** One row per job, for lists and dashboards. A single job is read from its stream. */
export const JOB = readTable('jobs.job', {
  key: ['job_seed'],
  columns: {
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
  },
  unique: [['position']],
  indexes: {
    job_by_status: '(status, position)',
    job_by_session: '(session_id, position) where session_id is not null',
    job_by_owner: '(owner_sub, position)',
  },
});
export type JobSummary = RowOf<typeof JOB>;

/** The counts of each tick of a job. Tick 0 covers the events before the first tick. */
export const TIMELINE = readTable('jobs.timeline', {
  key: ['job_seed', 'tick'],
  columns: {
    job_seed: text(),
    tick: int(),
    first_number: int(),
    last_number: int(),
    first_at: text(),
    last_at: text(),
    inserted: int(),
    referenced: int(),
    promoted: int(),
    returned: int(),
    expired: int(),
    evicted: int(),
    episodes: int(),
    reads: int(),
    goals: int(),
  },
});
export type TickSummary = RowOf<typeof TIMELINE>;

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
