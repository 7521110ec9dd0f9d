import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import { subHash } from '../platform/errors/failure-log.js';
import type { RefusedAt, RefusedWrites } from '../platform/errors/refused-writes.js';
import { Metrics } from '../platform/health/metrics.js';
import type { GatedRequest } from '../platform/http/gated-request.js';
import type { RequestIdentity } from '../platform/http/identity.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { LOGGER } from '../platform/tokens.js';
import { RequestSeal } from './request-seal.js';
import { StorageQueue } from './storage-queue.js';

/** Stores sealed requests that were refused because the log was full (SPEC F2). */
@Injectable()
export class RefusedRequests implements RefusedWrites {
  private readonly commandNames = new WeakMap<RequestIdentity, string>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: StorageQueue,
    private readonly seal: RequestSeal,
    commands: CommandBus,
    queries: QueryBus,
  ) {
    for (const bus of [commands, queries]) bus.subscribe((message) => this.noteName(message));
  }

  async keep(request: GatedRequest, at: RefusedAt): Promise<void> {
    const { command_id, trace_id } = request.identity;
    const kept = await this.queue.keep(await this.entry(request, at)).catch(() => false);
    this.metrics.refusedWrites.inc({ outcome: kept ? 'kept' : 'lost' });
    const { stream } = at;
    if (!kept) this.logger.fatal({ type: 'refused_write_lost', command_id, trace_id, stream });
  }

  waiting(): Promise<number | null> {
    return this.queue.count().catch(() => null);
  }

  /**
   * Notes the first command of a request, because the request is named after this command; the handler
   * may send further commands.
   */
  private noteName(message: object): void {
    const { identity } = message as { identity?: RequestIdentity };
    if (identity !== undefined && !this.commandNames.has(identity))
      this.commandNames.set(identity, message.constructor.name);
  }

  private entry(request: GatedRequest, at: RefusedAt): Promise<RefusedWrite> {
    const { identity } = request;
    const { command_id, keyed, actor, trace_id } = identity;
    return this.seal.seal(request, {
      command_id,
      command: this.commandNames.get(identity) ?? at.route,
      keyed,
      caller: subHash(actor),
      ...at,
      trace_id,
      refused_at: new Date().toISOString(),
    });
  }
}
