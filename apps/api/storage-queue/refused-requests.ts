import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { subHash } from '../platform/errors/failure-log.js';
import type { RefusedAt, RefusedWrites } from '../platform/errors/refused-writes.js';
import { Metrics } from '../platform/health/metrics.js';
import type { GatedRequest } from '../platform/http/gated-request.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { RequestSeal } from './request-seal.js';
import { StorageQueue } from './storage-queue.js';

/** Stores sealed requests that were refused because the log was full (SPEC F2). */
@Injectable()
export class RefusedRequests implements RefusedWrites {
  private readonly commandNames = new WeakMap<RequestIdentity, string>();
  private readonly seal: RequestSeal;

  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: StorageQueue,
    commands: CommandBus,
    queries: QueryBus,
  ) {
    this.seal = new RequestSeal(config.sealingKey);
    for (const bus of [commands, queries]) bus.subscribe((message) => this.noteName(message));
  }

  async keep(request: GatedRequest, at: RefusedAt): Promise<void> {
    const { command_id, trace_id } = request.identity;
    const kept = await this.queue.keep(await this.entry(request, at)).catch(() => false);
    this.metrics.refusedWrites.inc({ outcome: kept ? 'kept' : 'lost' });
    const { stream } = at;
    if (!kept) this.logger.fatal({ type: 'refused_write_lost', command_id, trace_id, stream });
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

  private async entry(request: GatedRequest, at: RefusedAt): Promise<RefusedWrite> {
    const { identity } = request;
    const { command_id, keyed, actor, trace_id } = identity;
    return {
      command_id,
      command: this.commandNames.get(identity) ?? at.route,
      keyed,
      caller: subHash(actor),
      ...at,
      trace_id,
      refused_at: new Date().toISOString(),
      sealed: await this.seal.seal(request),
    };
  }
}
