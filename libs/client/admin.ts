import type { CallOptions, Transport, WriteOptions } from './transport.js';

/** A write that found no room, and waits. What it holds is never shown. */
export interface WaitingWrite {
  /** Its command_id. */
  readonly id: string;
  /** What was asked for, such as `PutFact`. */
  readonly command: string;
  /** It came with an Idempotency-Key: it is replayed by itself when there is room. */
  readonly keyed: boolean;
  /** First 16 hex digits of sha256(sub). */
  readonly caller: string;
  /** Method and pattern, without ids. */
  readonly route: string;
  /** The stream that had no room for it. */
  readonly stream: string;
  readonly trace_id: string;
  /** ISO 8601 UTC. */
  readonly refused_at: string;
  /** How often it was replayed in vain. */
  readonly attempts: number;
  /** Why it is still here: an error_code. */
  readonly last_code: string;
  readonly waits_for: 'room' | 'person';
}

export interface QueuePage {
  readonly entries: readonly WaitingWrite[];
  readonly next_cursor: string | null;
}

/** Writes that found no room, oldest first. Admins. */
export class StorageQueue {
  constructor(private readonly transport: Transport) {}

  list(
    query: { readonly cursor?: string; readonly limit?: number } = {},
    options?: CallOptions,
  ): Promise<QueuePage> {
    return this.transport.json({ method: 'GET', path: '/v1/admin/queue', query, options });
  }

  /**
   * Writes it now. Fails with STORAGE_FULL while there is no room, and with whatever rule refuses it by
   * now: then it has left the queue.
   */
  retry(
    id: string,
    options?: WriteOptions,
  ): Promise<{ readonly id: string; readonly status: 'written' }> {
    const path = `/v1/admin/queue/${encodeURIComponent(id)}/retry`;
    return this.transport.json({ method: 'POST', path, options });
  }
}

/** What admins look after. */
export class Admin {
  readonly queue: StorageQueue;

  constructor(transport: Transport) {
    this.queue = new StorageQueue(transport);
  }
}
