import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refusal } from '#domain/errors/refusal.js';
import { Roles } from '../platform/auth/roles.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { QueuedWritePath, QueueQuery } from './dto/queue.dto.js';
import type { QueuedWrite } from './queue-table.js';
import type { RefusedWrite } from './refused-write.js';
import { isFinal, Replay } from './replay.js';
import { StorageQueue } from './storage-queue.js';

const DEFAULT_PAGE = 100;

/** Never the request itself: nobody may read here what it holds. */
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
  waits_for: write.waits_for_person ? 'person' : 'room',
});

const inFile = (write: RefusedWrite) => ({
  ...view(write),
  attempts: 0,
  last_code: 'STORAGE_FULL',
  waits_for: write.keyed ? 'room' : 'person',
});

@ApiTags('admin')
@Controller('v1/admin/queue')
export class QueueController {
  constructor(
    private readonly queue: StorageQueue,
    private readonly replay: Replay,
  ) {}

  @Get()
  @Roles('admin')
  @ApiOperation({ summary: 'Writes that found no room, in the order they were refused (SPEC F2)' })
  async list(@Query() { cursor, limit }: QueueQuery) {
    const size = limit ?? DEFAULT_PAGE;
    const rows = await this.queue.table.list(BigInt(cursor ?? '0'), size + 1);
    const page = rows.slice(0, size);
    const own = cursor === undefined ? this.queue.inFile.map(inFile) : [];
    return {
      entries: [...page.map(inTable), ...own],
      next_cursor: rows.length > size ? (page.at(-1)?.seq ?? null) : null,
    };
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    summary: 'Write it now, if there is room; what a rule refuses leaves the queue (SPEC F2)',
  })
  async retry(@Param() { id }: QueuedWritePath, @Body() _body: EmptyDto) {
    await this.queue.drainFile();
    const { table } = this.queue;
    const write = await table.lease(id);
    if (write === undefined) throw new Refusal('NOT_FOUND', { what: 'waiting write', id });
    const refusal = await this.replay.of(write);
    if (refusal === undefined) return { id, status: 'written' };
    // A person has seen now what a rule says to it: it would never be written.
    if (isFinal(refusal)) await table.remove(id);
    else await table.giveBack(id, refusal.code, false);
    throw refusal;
  }
}
