import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { Refusal } from '#domain/errors/refusal.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { RefusalAudit } from '../platform/errors/refusal-audit.js';
import { refusalOf } from '../platform/errors/refusal-of.js';
import { Metrics } from '../platform/health/metrics.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { CommandClasses } from './command-classes.js';
import type { QueuedWrite } from './queue-table.js';
import { CommandSeal } from './refused-write.js';
import { StorageQueue } from './storage-queue.js';

/** Codes that say "not now": the write goes on waiting. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'STORAGE_FULL',
  'SEM_WRITE_FAIL',
  'MEMORY_WRITE_FAIL',
  'PROJECTION_LAG',
  'READ_UNAVAILABLE',
]);

export const isPassing = ({ code }: Refusal): boolean => PASSING.has(code);

/**
 * A rule says no, and always will. A command that cannot be opened, or that this release does not know, is
 * INTERNAL: another key or release may put that right.
 */
export const isFinal = (refusal: Refusal): boolean =>
  !isPassing(refusal) && refusal.code !== 'INTERNAL';

/**
 * Sends a kept command once more, as it was sent first and under its command_id: whatever its client has
 * retried meanwhile, it is done once (SPEC F2, I7).
 */
@Injectable()
export class Replay {
  private readonly seal: CommandSeal;

  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly bus: CommandBus,
    private readonly classes: CommandClasses,
    private readonly queue: StorageQueue,
    private readonly audit: RefusalAudit,
    private readonly metrics: Metrics,
  ) {
    this.seal = new CommandSeal(config.sealingKey);
  }

  /** Resolves with nothing when it is written and gone from the queue, else with what refused it. */
  async of(write: QueuedWrite): Promise<Refusal | undefined> {
    const { command_id, command, trace_id } = write;
    try {
      await this.send(write);
    } catch (error) {
      return refusalOf(error, { isWrite: true, route: '' });
    }
    await this.queue.table.remove(command_id);
    this.metrics.refusedWrites.inc({ outcome: 'replayed' });
    this.logger.info({ type: 'refused_write_replayed', command_id, command, trace_id });
    return undefined;
  }

  private async send({ sealed, route, stream, trace_id }: QueuedWrite): Promise<void> {
    const kept = await this.seal.open(sealed);
    const command = this.classes.revive(kept);
    if (command === undefined) throw new Error(`This release does not know ${kept.name}`);
    await this.bus.execute(command);
    // There was no room for it when it was refused (SPEC I1).
    const refused = { code: 'STORAGE_FULL', route, stream, trace_id };
    await this.audit.record(kept.fields.identity.actor, refused);
  }
}
