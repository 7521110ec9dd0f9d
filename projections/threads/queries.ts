import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#domain/json.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredCheckpoint, StoredThread } from './tables.js';

/** The place of a checkpoint in a list: where its id was first put, and the stream that holds it. */
export type CheckpointPlace = readonly [first_position: string, stream: string];

/** Which checkpoints a list has. */
export interface CheckpointFilter {
  readonly owner: string;
  readonly thread_id?: string | undefined;
  readonly namespace?: string | undefined;
  readonly checkpoint_id?: string | undefined;
  /** Only checkpoints whose ids were first put before this one; none if there is no such id. */
  readonly before?: string | undefined;
  /** Only checkpoints whose metadata has these values. */
  readonly filter?: JsonObject | undefined;
  /** The last checkpoint of the previous page. */
  readonly after?: CheckpointPlace | undefined;
}

const LIST: NamedQuery = {
  name: 'threads_list',
  text: `select * from threads.graph_checkpoint
    where hidden_number is null and owner = $1
      and ($2::text is null or thread_id = $2)
      and ($3::text is null or namespace = $3)
      and ($4::text is null or checkpoint_id = $4)
      and ($5::text is null or first_position < (
        select min(first_position) from threads.graph_checkpoint
        where hidden_number is null and owner = $1 and checkpoint_id = $5
          and ($2::text is null or thread_id = $2)
          and ($3::text is null or namespace = $3)))
      and ($6::jsonb is null or metadata @> $6)
      and ($7::bigint is null or (first_position, thread_stream) < ($7, $8))
    order by first_position desc, thread_stream desc limit $9`,
};

const STREAMS: NamedQuery = {
  name: 'threads_streams',
  text: 'select * from threads.thread where owner = $1 and thread_id = $2 order by namespace',
};

/** Reads which checkpoints exist. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class ThreadQueries {
  constructor(private readonly postgres: Postgres) {}

  /** Returns a page of visible checkpoints: the one whose id was put first after all others comes first. */
  list(filter: CheckpointFilter, limit: number): Promise<StoredCheckpoint[]> {
    const { owner, thread_id, namespace, checkpoint_id, before, after } = filter;
    const metadata = filter.filter === undefined ? null : JSON.stringify(filter.filter);
    const [position, stream] = after ?? [];
    const given = [thread_id, namespace, checkpoint_id, before, metadata, position, stream];
    const values = [owner, ...given.map((value) => value ?? null), limit];
    return this.postgres.query<StoredCheckpoint>(LIST, values);
  }

  /** Returns the streams of a thread, one for each namespace, also of those that were deleted. */
  async streamsOf(owner: string, threadId: string): Promise<string[]> {
    const rows = await this.postgres.query<StoredThread>(STREAMS, [owner, threadId]);
    return rows.map(({ thread_stream }) => thread_stream);
  }
}
