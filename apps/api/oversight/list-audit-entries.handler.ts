import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AdminAccess, CommandRefused } from '#domain/audit/events.js';
import { OversightQueries, type WithEvent } from '#projections/oversight/queries.js';
import type { StoredAuditEntry } from '#projections/oversight/tables.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type {
  AccessesQuery,
  AdminAccessesPageDto,
  RefusalsQuery,
  RefusedCommandsPageDto,
} from './dto/oversight.dto.js';

const DEFAULT_PAGE = 50;

/** Returns what an entry shows, with the event as its receipt. */
const entryOf = <Data>(row: WithEvent<StoredAuditEntry>) => {
  const { sub, recorded_at, trace_id, stream, number, position, event_hash: hash } = row;
  const event = { stream, number, position, hash };
  return { ...(JSON.parse(row.data) as Data), sub, recorded_at, trace_id, event };
};

interface Page {
  readonly rows: readonly WithEvent<StoredAuditEntry>[];
  readonly next_cursor: string | null;
}

const pageOf = (found: readonly WithEvent<StoredAuditEntry>[], limit: number): Page => {
  const rows = found.slice(0, limit);
  return { rows, next_cursor: found.length > limit ? (rows.at(-1)?.position ?? null) : null };
};

export class ListAccesses extends Query<Answer<AdminAccessesPageDto>> {
  constructor(readonly filter: AccessesQuery) {
    super();
  }
}

/** Lists the reads of personal data, by all readers or by one (SPEC G7). */
@QueryHandler(ListAccesses)
export class ListAccessesHandler implements IQueryHandler<ListAccesses> {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ filter }: ListAccesses): Promise<Answer<AdminAccessesPageDto>> {
    const isCurrent = await this.logEnd.isReached('oversight');
    const { sub, stream: about, cursor: before, limit = DEFAULT_PAGE } = filter;
    const asked = { type: 'admin_access_event', sub, about, before, limit: limit + 1 } as const;
    const { rows, next_cursor } = pageOf(await this.oversight.entries(asked), limit);
    const accesses = rows.map((row) => entryOf<AdminAccess>(row));
    return Answer.read({ accesses, next_cursor }, isCurrent);
  }
}

export class ListRefusals extends Query<Answer<RefusedCommandsPageDto>> {
  constructor(readonly filter: RefusalsQuery) {
    super();
  }
}

/** Lists refused commands, of all callers or of one (SPEC I1). */
@QueryHandler(ListRefusals)
export class ListRefusalsHandler implements IQueryHandler<ListRefusals> {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ filter }: ListRefusals): Promise<Answer<RefusedCommandsPageDto>> {
    const isCurrent = await this.logEnd.isReached('oversight');
    const { sub, cursor: before, limit = DEFAULT_PAGE } = filter;
    const asked = { type: 'command_refused', sub, before, limit: limit + 1 } as const;
    const { rows, next_cursor } = pageOf(await this.oversight.entries(asked), limit);
    const refusals = rows.map((row) => entryOf<CommandRefused>(row));
    return Answer.read({ refusals, next_cursor }, isCurrent);
  }
}
