import type { JsonObject } from '#domain/json.js';
import { bigint, int, json, orNull, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** One row for each stream: a thread in one namespace. */
export const THREAD = readTable('threads.thread', {
  key: ['thread_stream'],
  columns: {
    thread_stream: text(),
    /** `user:<id>`, or `sub:<sub>` of an agent without a user. */
    owner: text(),
    thread_id: text(),
    namespace: text(),
  },
  indexes: {
    thread_owner: '(owner, thread_id)',
  },
});
export type StoredThread = RowOf<typeof THREAD>;

/** One row for each checkpoint that was put. Its content is read from the log. */
export const CHECKPOINT = readTable('threads.graph_checkpoint', {
  key: ['thread_stream', 'put_number'],
  columns: {
    thread_stream: text(),
    /** The number of the event that put it. */
    put_number: int(),
    owner: text(),
    thread_id: text(),
    namespace: text(),
    checkpoint_id: text(),
    /** Commit position of the event that first put this id: the order of lists, and their cursor. */
    first_position: bigint(),
    /** Null if the metadata contains personal data or is large: no filter finds it then. */
    metadata: orNull(json<JsonObject>()),
    /** The number of the event that deleted the thread or put another checkpoint with this id; null if it is visible. */
    hidden_number: orNull(int()),
  },
  indexes: {
    graph_checkpoint_owner:
      '(owner, first_position desc, thread_stream desc) where hidden_number is null',
    graph_checkpoint_thread:
      '(owner, thread_id, first_position desc, thread_stream desc) where hidden_number is null',
    graph_checkpoint_visible: '(thread_stream, checkpoint_id) where hidden_number is null',
  },
});
export type StoredCheckpoint = RowOf<typeof CHECKPOINT>;
