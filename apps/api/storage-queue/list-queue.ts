import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { byteOrder } from '#domain/determinism/ids.js';
import type { Json } from '#domain/json.js';
import { cursorOf, isTexts, placeOf } from '../platform/http/cursor.js';
import { QueuePageDto } from './queue-view.js';
import type { QueuedWrite, QueuePlace } from './queue-table.js';
import { RequestSeal } from './request-seal.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { StorageQueue } from './storage-queue.js';
import { Text, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';

const DEFAULT_PAGE = 100;

const UNKNOWN = {
  ...{ command: null, route: null, stream: null, keyed: null },
  ...{ caller: null, trace_id: null, refused_at: null },
};

const stateInTable = ({ attempts, last_code, waits_for_person }: QueuedWrite) => ({
  ...{ attempts, last_code },
  waits_for: waits_for_person ? ('person' as const) : ('room' as const),
});

const stateInFile = ({ keyed }: RefusedWrite) => ({
  ...{ attempts: 0, last_code: 'STORAGE_FULL' },
  waits_for: keyed ? ('room' as const) : ('person' as const),
});

interface Waiting {
  readonly write: RefusedWrite;
  readonly state: ReturnType<typeof stateInTable>;
}

const placeIn = ({ write }: Waiting): QueuePlace => [write.refused_at, write.command_id];

const idsOf = (writes: readonly RefusedWrite[]): readonly string[] =>
  writes.map(({ command_id }) => command_id);

/** Compares places by bytes, as Postgres does. */
const inOrder = (left: QueuePlace, right: QueuePlace): number =>
  byteOrder(left[0], right[0]) || byteOrder(left[1], right[1]);

const isPlace = (value: Json): value is QueuePlace => isTexts(value) && value.length === 2;

@Describes({
  summary: 'Writes refused because the log was full, in the order of their refusal',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, QueuePageDto],
})
export class ListQueue extends ReadRequest<QueuePageDto> {
  @Text({
    optional: true,
    min: 1,
    max: 512,
    pattern: /^[\w-]+$/,
    form: 'be the next_cursor of an answer',
    description: 'The next_cursor of the previous page.',
  })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

@QueryHandler(ListQueue)
export class ListQueueHandler implements IQueryHandler<ListQueue> {
  constructor(
    private readonly queue: StorageQueue,
    private readonly seal: RequestSeal,
  ) {}

  async execute({ cursor, limit = DEFAULT_PAGE }: ListQueue): Promise<QueuePageDto> {
    const after = cursor === undefined ? undefined : placeOf(cursor, isPlace);
    const found = await this.writesAfter(after, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      entries: await Promise.all(
        page.map(async ({ write, state }) => ({ ...(await this.view(write)), ...state })),
      ),
      next_cursor: found.length > limit && last !== undefined ? cursorOf(placeIn(last)) : null,
    };
  }

  /** Returns the first writes after a place, those of the table and those of this instance's file. */
  private async writesAfter(after: QueuePlace | undefined, limit: number): Promise<Waiting[]> {
    // A write that moves to the table meanwhile is in `inFile` and in `stored`.
    const { inFile } = this.queue;
    const moved =
      inFile.length === 0 ? new Set<string>() : await this.queue.table.kept(idsOf(inFile));
    const stored = await this.queue.table.list(after, limit);
    const known = new Set([...moved, ...idsOf(stored)]);
    const own = inFile
      .filter(({ command_id }) => !known.has(command_id))
      .map((write) => ({ write, state: stateInFile(write) }))
      .filter((waiting) => after === undefined || inOrder(placeIn(waiting), after) > 0);
    return [...stored.map((write) => ({ write, state: stateInTable(write) })), ...own]
      .sort((left, right) => inOrder(placeIn(left), placeIn(right)))
      .slice(0, limit);
  }

  /** Returns what admins see of a refused write. The request itself is never shown. */
  private async view(write: RefusedWrite) {
    const id = write.command_id;
    if (!(await this.seal.isSealed(write))) return { id, verified: false, ...UNKNOWN };
    const { command, route, stream, keyed, caller, trace_id, refused_at } = write;
    return { id, verified: true, command, route, stream, keyed, caller, trace_id, refused_at };
  }
}
