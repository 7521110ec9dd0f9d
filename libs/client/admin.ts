import { bodyOf, pathPart } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';

/**
 * A write that was refused because the log was full and now waits in the queue. The service never shows
 * its content.
 */
export type WaitingWrite = Schemas['WaitingWriteDto'];

export type QueuePage = Schemas['QueuePageDto'];

/** The queue of refused writes, oldest first. Auditors may list it; the rest is for admins. */
export class StorageQueue {
  constructor(private readonly transport: Transport) {}

  list(query: QueryOf<'/v1/admin/queue'> = {}, options?: CallOptions): Promise<QueuePage> {
    return this.transport.get(
      '/v1/admin/queue',
      bodyOf('query?', query, 'GET /v1/admin/queue'),
      options,
    );
  }

  /**
   * Retries a write now. Fails with STORAGE_FULL while the log is full. If a rule now refuses the write,
   * the call fails with that error, and the write leaves the queue.
   */
  retry(id: string, options?: WriteOptions): Promise<Schemas['RetriedWriteDto']> {
    return this.transport.post(`/v1/admin/queue/${pathPart('id', id)}/retry`, undefined, options);
  }

  /** Removes a write, which is then never written. */
  remove(id: string, options?: WriteOptions): Promise<Schemas['RemovedWriteDto']> {
    return this.transport.json({
      method: 'DELETE',
      path: `/v1/admin/queue/${pathPart('id', id)}`,
      options,
    });
  }
}

/** Whether the service is ready, and how much room the log has. */
export type ServiceStatus = Schemas['StatusDto'];

/** Operations for admins. Auditors may read. */
export class Admin {
  readonly queue: StorageQueue;

  constructor(private readonly transport: Transport) {
    this.queue = new StorageQueue(transport);
  }

  /** Returns the result of each check of the service, and the room of the log. */
  status(options?: CallOptions): Promise<ServiceStatus> {
    return this.transport.get('/v1/admin/status', {}, options);
  }
}
