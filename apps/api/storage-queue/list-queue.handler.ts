import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { QueueQuery } from './dto/queue.dto.js';
import type { QueuePageDto } from './dto/queue-view.dto.js';
import type { QueuedWrite } from './queue-table.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { StorageQueue } from './storage-queue.js';

const DEFAULT_PAGE = 100;

/** Returns what admins see of a refused write. The request itself is never shown. */
const view = (write: RefusedWrite) => ({
  id: write.command_id,
  command: write.command,
  route: write.route,
  stream: write.stream,
  keyed: write.keyed,
  caller: write.caller,
  trace_id: write.trace_id,
  refused_at: write.refused_at,
});

const inTable = (write: QueuedWrite) => ({
  ...view(write),
  attempts: write.attempts,
  last_code: write.last_code,
  waits_for: write.waits_for_person ? ('person' as const) : ('room' as const),
});

const inFile = (write: RefusedWrite) => ({
  ...view(write),
  attempts: 0,
  last_code: 'STORAGE_FULL',
  waits_for: write.keyed ? ('room' as const) : ('person' as const),
});

export class ListQueue extends Query<QueuePageDto> {
  constructor(readonly page: QueueQuery) {
    super();
  }
}

/** Lists refused writes in the order of their refusal (SPEC F2). */
@QueryHandler(ListQueue)
export class ListQueueHandler implements IQueryHandler<ListQueue> {
  constructor(private readonly queue: StorageQueue) {}

  async execute({ page: { cursor, limit = DEFAULT_PAGE } }: ListQueue): Promise<QueuePageDto> {
    const rows = await this.queue.table.list(BigInt(cursor ?? '0'), limit + 1);
    const page = rows.slice(0, limit);
    const own = cursor === undefined ? this.queue.inFile.map(inFile) : [];
    return {
      entries: [...page.map(inTable), ...own],
      next_cursor: rows.length > limit ? (page.at(-1)?.seq ?? null) : null,
    };
  }
}
