import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { RetriedWriteDto, WriteId } from './queue-view.js';
import { isFinal, Replay } from './replay.js';
import { StorageQueue } from './storage-queue.js';
import { Describes, ServiceRequest } from '../platform/http/request.js';

@Describes({
  summary: 'Retry a write now; a write that a rule refuses leaves the queue',
  roles: { all: ['admin'] },
  answers: [200, RetriedWriteDto],
  fails: ['NOT_FOUND', 'STORAGE_FULL'],
})
export class RetryWrite extends ServiceRequest<RetriedWriteDto> {
  @WriteId() id!: string;
}

/** Replays one entry now if the log has room; an entry that a rule refuses leaves the queue (SPEC F2). */
@CommandHandler(RetryWrite)
export class RetryWriteHandler implements ICommandHandler<RetryWrite> {
  constructor(
    private readonly queue: StorageQueue,
    private readonly replay: Replay,
  ) {}

  async execute({ id }: RetryWrite): Promise<RetriedWriteDto> {
    await this.queue.drainFile();
    const { table } = this.queue;
    const write = await table.lease(id);
    if (write === undefined) throw new Refusal('NOT_FOUND', { what: 'waiting write', id });
    const refusal = await this.replay.of(write);
    if (refusal === undefined) return { id, status: 'written' };
    // The write could never succeed, so it is removed, and the caller sees the refusal of the rule.
    if (isFinal(refusal)) await table.remove(id);
    else await table.giveBack(id, refusal.code, false);
    throw refusal;
  }
}
