import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { Refusal } from '#domain/errors/refusal.js';
import { RefusalAudit } from '../platform/errors/refusal-audit.js';
import { refusalOf } from '../platform/errors/refusal-of.js';
import { Metrics } from '../platform/health/metrics.js';
import { sendAgain } from '../platform/http/replayed-request.js';
import { LOGGER } from '../platform/tokens.js';
import type { QueuedWrite } from './queue-table.js';
import { RequestSeal } from './request-seal.js';
import { StorageQueue } from './storage-queue.js';

/** The codes of temporary failures, after which the write stays in the queue. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'STORAGE_FULL',
  'SEM_WRITE_FAIL',
  'MEMORY_WRITE_FAIL',
  'PROJECTION_LAG',
  'READ_UNAVAILABLE',
]);

export const isPassing = ({ code }: Refusal): boolean => PASSING.has(code);

/**
 * True if a rule refuses the write for good. INTERNAL is not final: it can mean that the request cannot
 * be opened with this key or by this release, and another key or release may succeed. An entry that was
 * changed in Postgres (INTEGRITY_FAILURE) stays as evidence.
 */
export const isFinal = (refusal: Refusal): boolean =>
  !isPassing(refusal) && refusal.code !== 'INTERNAL' && refusal.code !== 'INTEGRITY_FAILURE';

/**
 * Replays a stored request with its command_id and its original time. Even if its client has retried it
 * meanwhile, it is written once (SPEC F2, I7).
 */
@Injectable()
export class Replay {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly host: HttpAdapterHost,
    private readonly queue: StorageQueue,
    private readonly audit: RefusalAudit,
    private readonly metrics: Metrics,
    private readonly seal: RequestSeal,
  ) {}

  /**
   * Replays a write. Resolves with undefined when the write is in the log and removed from the queue;
   * otherwise with the refusal.
   */
  async of(write: QueuedWrite): Promise<Refusal | undefined> {
    const { command_id, command, trace_id } = write;
    const refusal = await this.send(write).catch((error: unknown) =>
      refusalOf(error, { isWrite: true, route: write.route }),
    );
    if (refusal !== undefined) return refusal;
    await this.queue.table.remove(command_id);
    this.metrics.refusedWrites.inc({ outcome: 'replayed' });
    this.logger.info({ type: 'refused_write_replayed', command_id, command, trace_id });
    return undefined;
  }

  private async send(write: QueuedWrite): Promise<Refusal | undefined> {
    const { route, stream, trace_id } = write;
    const request = await this.seal.open(write);
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    const refusal = await sendAgain(server, request);
    if (refusal !== undefined) return refusal;
    // When the write was refused, the log was too full to record the refusal, so it is recorded now
    // (SPEC I1).
    const refused = { code: 'STORAGE_FULL', route, stream, trace_id };
    await this.audit.record(request.actor.sub, refused);
    return undefined;
  }
}
