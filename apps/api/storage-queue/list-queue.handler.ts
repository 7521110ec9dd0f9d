import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { QueueQuery } from './dto/queue.dto.js';
import type { QueuePageDto } from './dto/queue-view.dto.js';
import type { QueuedWrite } from './queue-table.js';
import { RequestSeal } from './request-seal.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { StorageQueue } from './storage-queue.js';

const DEFAULT_PAGE = 100;

const UNKNOWN = {
  ...{ command: null, route: null, stream: null, keyed: null },
  ...{ caller: null, trace_id: null, refused_at: null },
};

const inTable = ({ attempts, last_code, waits_for_person }: QueuedWrite) => ({
  ...{ attempts, last_code },
  waits_for: waits_for_person ? ('person' as const) : ('room' as const),
});

const inFile = ({ keyed }: RefusedWrite) => ({
  ...{ attempts: 0, last_code: 'STORAGE_FULL' },
  waits_for: keyed ? ('room' as const) : ('person' as const),
});

export class ListQueue extends Query<QueuePageDto> {
  constructor(readonly page: QueueQuery) {
    super();
  }
}

/** Lists refused writes in the order of their refusal (SPEC F2). */
@QueryHandler(ListQueue)
export class ListQueueHandler implements IQueryHandler<ListQueue> {
  constructor(
    private readonly queue: StorageQueue,
    private readonly seal: RequestSeal,
  ) {}

  async execute({ page: { cursor, limit = DEFAULT_PAGE } }: ListQueue): Promise<QueuePageDto> {
    const rows = await this.queue.table.list(BigInt(cursor ?? '0'), limit + 1);
    const page = rows.slice(0, limit);
    const own = cursor === undefined ? this.queue.inFile : [];
    const entries = [
      ...page.map(async (write) => ({ ...(await this.view(write)), ...inTable(write) })),
      ...own.map(async (write) => ({ ...(await this.view(write)), ...inFile(write) })),
    ];
    return {
      entries: await Promise.all(entries),
      next_cursor: rows.length > limit ? (page.at(-1)?.seq ?? null) : null,
    };
  }

  /** Returns what admins see of a refused write. The request itself is never shown. */
  private async view(write: RefusedWrite) {
    const id = write.command_id;
    if (!(await this.seal.isSealed(write))) return { id, verified: false, ...UNKNOWN };
    const { command, route, stream, keyed, caller, trace_id, refused_at } = write;
    return { id, verified: true, command, route, stream, keyed, caller, trace_id, refused_at };
  }
}
