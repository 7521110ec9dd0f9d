import type { QueryOf, Schemas } from './schemas.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';

/** A write that found no room, and waits. What it holds is never shown. */
export type WaitingWrite = Schemas['WaitingWriteDto'];

export type QueuePage = Schemas['QueuePageDto'];

/** Writes that found no room, oldest first. Admins. */
export class StorageQueue {
  constructor(private readonly transport: Transport) {}

  list(query: QueryOf<'/v1/admin/queue'> = {}, options?: CallOptions): Promise<QueuePage> {
    return this.transport.json({ method: 'GET', path: '/v1/admin/queue', query, options });
  }

  /**
   * Writes it now. Fails with STORAGE_FULL while there is no room, and with whatever rule refuses it by
   * now: then it has left the queue.
   */
  retry(id: string, options?: WriteOptions): Promise<Schemas['RetriedWriteDto']> {
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
