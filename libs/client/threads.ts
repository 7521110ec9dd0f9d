import { bodyOf, requireArguments } from './arguments.js';
import { existing } from './existing.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { CallOptions, ReadOptions, Transport, WriteOptions } from './transport.js';

/** A checkpoint to put, with the values that its step has changed. */
export type PutCheckpoint = Schemas['PutCheckpoint'];

/** What a task has written after a checkpoint. */
export type PutWrites = Schemas['PutWrites'];

/** A checkpoint with the values of all its channels and its pending writes. */
export type Checkpoint = Schemas['CheckpointDto'];

/** A write that the next checkpoint does not contain yet. */
export type PendingWrite = Schemas['PendingWriteDto'];

/** Which checkpoint a read returns; by default the latest one of the thread. */
export type CheckpointRead = QueryOf<'/v1/threads/checkpoints'>;

/** Which checkpoints a list has. */
export type CheckpointFilter = Schemas['ListCheckpoints'];

/** A thread in one namespace; the namespace is empty by default. */
export type ThreadPlace = QueryOf<'/v1/threads/bundle'>;

const PAGE = 100;

/**
 * Threads: the checkpoints of an agent's graph, and the writes of its tasks that are not in a checkpoint yet. A
 * thread belongs to the token's user, or to its sub if it has no user. Personal data is stored sealed; the owner gets
 * it back whole.
 */
export class Threads {
  constructor(private readonly transport: Transport) {}

  /** Puts a checkpoint. The same one again adds nothing; another one with the same id replaces it. */
  putCheckpoint(
    checkpoint: PutCheckpoint,
    options?: WriteOptions,
  ): Promise<Schemas['ThreadChangedDto']> {
    return this.#put(
      '/v1/threads/checkpoints',
      bodyOf('checkpoint', checkpoint, 'PUT /v1/threads/checkpoints'),
      options,
    );
  }

  /**
   * Puts writes of a task. A write that the task has made already is not made again; a write with a negative index
   * replaces the earlier one. The checkpoint may follow later.
   */
  putWrites(writes: PutWrites, options?: WriteOptions): Promise<Schemas['ThreadChangedDto']> {
    return this.#put(
      '/v1/threads/writes',
      bodyOf('writes', writes, 'PUT /v1/threads/writes'),
      options,
    );
  }

  /** Returns a checkpoint; undefined if it does not exist. It includes every write that was acknowledged before. */
  async get(read: CheckpointRead, options?: CallOptions): Promise<Checkpoint | undefined> {
    const path = '/v1/threads/checkpoints';
    return existing(
      this.transport.get<Checkpoint>(
        path,
        bodyOf('read', read, 'GET /v1/threads/checkpoints'),
        options,
      ),
    );
  }

  /** Returns one page of checkpoints: the one whose id was put first after all others comes first. */
  list(
    filter: CheckpointFilter = {},
    options?: ReadOptions,
  ): Promise<Schemas['CheckpointsPageDto']> {
    return this.transport.ask(
      '/v1/threads/list',
      bodyOf('filter?', filter, 'POST /v1/threads/list'),
      options,
    );
  }

  /** Yields all checkpoints that match, at most `limit`, and fetches them page by page. */
  async *all(
    asked: Omit<CheckpointFilter, 'cursor'> = {},
    options?: ReadOptions,
  ): AsyncGenerator<Checkpoint> {
    const { limit = Infinity, ...filter } = bodyOf('filter?', asked, 'POST /v1/threads/list', [
      'cursor',
    ]);
    let rest = limit;
    let cursor: string | undefined;
    while (rest > 0) {
      const asked = { ...filter, limit: Math.min(rest, PAGE), ...(cursor && { cursor }) };
      const page = await this.list(asked, options);
      yield* page.checkpoints;
      rest -= page.checkpoints.length;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** Hides a thread in all its namespaces. The log keeps it. A retry keeps what was written since the first attempt. */
  async delete(threadId: string, options?: WriteOptions): Promise<Schemas['ThreadDeletedDto']> {
    requireArguments({ threadId }, { threadId: 'text' });
    return this.transport.json({
      method: 'DELETE',
      path: '/v1/threads',
      query: { thread_id: threadId },
      options,
    });
  }

  /** Replays a thread: decides its recorded inputs again and compares every event. */
  replay(
    thread: Schemas['ReplayThread'],
    options?: CallOptions,
  ): Promise<Schemas['ReplayReportDto']> {
    return this.transport.ask(
      '/v1/threads/replays',
      bodyOf('thread', thread, 'POST /v1/threads/replays'),
      options,
    );
  }

  /** Yields the lines of the thread's signed bundle as they arrive. */
  bundle(thread: ThreadPlace, options?: CallOptions): AsyncGenerator<string> {
    return this.transport.lines(
      '/v1/threads/bundle',
      bodyOf('thread', thread, 'GET /v1/threads/bundle'),
      options,
    );
  }

  /** A repetition adds nothing, so it needs no Idempotency-Key, whose claim would be a second append. */
  #put<Answer>(path: string, body: object, options?: WriteOptions): Promise<Answer> {
    return this.transport.json({ method: 'PUT', path, body, repeatable: true, options });
  }
}
