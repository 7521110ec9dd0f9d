import type { MemoryRead } from '#domain/job/events.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `read` table. */
export interface StoredRead {
  /** The id that the job recorded: a key, an episodic id, the id of an item, or the stream of a note. */
  readonly what: string;
  readonly position: string;
  readonly job_seed: string;
  readonly owner_sub: string;
  /** The user of the job, folded (SPEC I9). */
  readonly owner_user_id: string | null;
  readonly kind: MemoryRead['kind'];
  readonly tick: number;
  readonly sem_snapshot_hash: string;
  readonly actor: string;
  readonly trace_id: string;
  readonly recorded_at: string;
  readonly stream: string;
  readonly number: number;
  readonly event_hash: string;
}

/** A row of the `reading_job` table. */
export interface StoredJobOwner {
  readonly job_seed: string;
  readonly owner_sub: string;
  readonly owner_user_id: string | null;
}

export const READ = new SealedTable<StoredRead>('reads.read', ['what', 'position'], {
  what: 'plain',
  position: 'bigint',
  job_seed: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
  kind: 'plain',
  tick: 'plain',
  sem_snapshot_hash: 'plain',
  actor: 'plain',
  trace_id: 'plain',
  recorded_at: 'plain',
  stream: 'plain',
  number: 'plain',
  event_hash: 'plain',
});

export const JOB_OWNER = new SealedTable<StoredJobOwner>('reads.reading_job', ['job_seed'], {
  job_seed: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
});
