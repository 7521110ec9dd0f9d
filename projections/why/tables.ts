import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { jobDecider } from '#domain/job/decider.js';
import type { MemoryRead } from '#domain/job/events.js';
import { bigint, int, orNull, text, type RowOf } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { readTable } from '#read-model/read-table.js';

/** One row for each thing that a job recorded as read (SPEC J10): a fact by its key, an episode, an item of the Memory Contract or an entry of a job by its id, and a note by its stream. */
export const READ = readTable('reads.read', {
  key: ['what', 'position'],
  columns: {
    /** The id that the job recorded: a key, an episodic id, the id of an item, or the stream of a note. */
    what: text(),
    /** Commit position of memory_read: the order of lists, and their cursor. */
    position: bigint(),
    job_seed: text(),
    /** The owner of the job; the user is folded: case and an initial `user_` do not matter (SPEC I9). */
    owner_sub: text(),
    /** The user of the job, folded (SPEC I9). */
    owner_user_id: orNull(text()),
    kind: text<MemoryRead['kind']>(),
    tick: int(),
    sem_snapshot_hash: text(),
    actor: text(),
    trace_id: text(),
    recorded_at: text(),
    stream: text(),
    number: int(),
    event_hash: text(),
  },
  indexes: {
    read_by_owner: '(what, owner_sub, position)',
  },
});
export type StoredRead = RowOf<typeof READ>;

export const JOB_OWNER = foldedTable('reads.reading_job', {
  reads: [jobDecider],
  types: ['job_started'],
  key: ['job_seed'],
  columns: {
    job_seed: text(),
    owner_sub: text(),
    owner_user_id: orNull(text()),
  },
  adds: ({ data: { job_seed, owner } }) => {
    const owner_user_id = owner.user_id === null ? null : foldUserId(owner.user_id);
    return [{ job_seed, owner_sub: owner.sub, owner_user_id }];
  },
});
export type StoredJobOwner = RowOf<typeof JOB_OWNER>;
