import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import { Refusal } from '#domain/errors/refusal.js';
import { subHash } from '../platform/errors/failure-log.js';
import { LOGGER } from '../platform/tokens.js';
import { RemovedWriteDto, WriteId } from './queue-view.js';
import { StorageQueue } from './storage-queue.js';
import { Describes, ServiceRequest } from '../platform/http/request.js';

@Describes({
  summary: 'Remove a waiting write, which is then never written',
  roles: { all: ['admin'] },
  answers: [200, RemovedWriteDto],
  fails: ['NOT_FOUND'],
})
export class RemoveWrite extends ServiceRequest<RemovedWriteDto> {
  @WriteId() id!: string;
}

/**
 * Removes an entry for good. The log has no room for an event about it, so a log line is its only record. An entry
 * that is being replayed at this moment cannot be removed.
 */
@CommandHandler(RemoveWrite)
export class RemoveWriteHandler implements ICommandHandler<RemoveWrite> {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: StorageQueue,
  ) {}

  async execute({ actor, id }: RemoveWrite): Promise<RemovedWriteDto> {
    await this.queue.drainFile();
    const write = await this.queue.table.lease(id);
    if (write === undefined) throw new Refusal('NOT_FOUND', { what: 'waiting write', id });
    await this.queue.table.remove(id);
    const { command_id, command, stream, trace_id } = write;
    this.logger.warn({
      type: 'refused_write_removed',
      ...{ command_id, command, stream, trace_id },
      caller: subHash(actor.sub),
    });
    return { id, status: 'removed' };
  }
}
