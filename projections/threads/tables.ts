import type { JsonObject } from '#domain/json.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `thread` table. */
export interface StoredThread {
  readonly thread_stream: string;
  readonly owner: string;
  readonly thread_id: string;
  readonly namespace: string;
}

export const THREAD = new SealedTable<StoredThread>('threads.thread', ['thread_stream'], {
  thread_stream: 'plain',
  owner: 'plain',
  thread_id: 'plain',
  namespace: 'plain',
});

/** A row of the `graph_checkpoint` table. */
export interface StoredCheckpoint extends StoredThread {
  readonly put_number: number;
  readonly checkpoint_id: string;
  readonly first_position: string;
  readonly metadata: JsonObject | null;
  readonly hidden_number: number | null;
}

export const CHECKPOINT = new SealedTable<StoredCheckpoint>(
  'threads.graph_checkpoint',
  ['thread_stream', 'put_number'],
  {
    thread_stream: 'plain',
    put_number: 'plain',
    owner: 'plain',
    thread_id: 'plain',
    namespace: 'plain',
    checkpoint_id: 'plain',
    first_position: 'bigint',
    metadata: 'json',
    hidden_number: 'plain',
  },
);
