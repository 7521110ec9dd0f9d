import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { subHash } from '../platform/errors/failure-log.js';
import type { RefusedWrites } from '../platform/errors/refused-writes.js';
import { Metrics } from '../platform/health/metrics.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { CommandSeal, type KeptCommand, type RefusedWrite } from './refused-write.js';
import { StorageQueue } from './storage-queue.js';

/** Knows which command each request sent, and keeps those that found no room (SPEC F2). */
@Injectable()
export class RefusedCommands implements RefusedWrites {
  private readonly sent = new WeakMap<RequestIdentity, ICommand>();
  private readonly seal: CommandSeal;

  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: StorageQueue,
    bus: CommandBus,
  ) {
    this.seal = new CommandSeal(config.sealingKey);
    bus.subscribe((command) => this.note(command));
  }

  async keep(identity: RequestIdentity, stream: string, route: string): Promise<void> {
    const { command_id, trace_id } = identity;
    let kept = false;
    try {
      const command = this.sent.get(identity);
      kept =
        command !== undefined &&
        (await this.queue.keep(await this.entry(command, identity, { stream, route })));
    } catch {
      kept = false;
    }
    this.metrics.refusedWrites.inc({ outcome: kept ? 'kept' : 'lost' });
    if (!kept) this.logger.fatal({ type: 'refused_write_lost', command_id, trace_id, stream });
  }

  /** A handler may send further commands for the same request: the first one is what was asked. */
  private note(command: ICommand): void {
    const { identity } = command as { identity?: RequestIdentity };
    if (identity !== undefined && !this.sent.has(identity)) this.sent.set(identity, command);
  }

  private async entry(
    command: ICommand,
    identity: RequestIdentity,
    where: Pick<RefusedWrite, 'stream' | 'route'>,
  ): Promise<RefusedWrite> {
    const { command_id, keyed, actor, trace_id } = identity;
    const { name } = command.constructor;
    return {
      command_id,
      command: name,
      keyed,
      caller: subHash(actor),
      ...where,
      trace_id,
      refused_at: new Date().toISOString(),
      sealed: await this.seal.seal({ name, fields: { ...command } as KeptCommand['fields'] }),
    };
  }
}
