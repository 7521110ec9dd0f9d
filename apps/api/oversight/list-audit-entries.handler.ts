import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CommandRefused } from '#domain/audit/events.js';
import { OversightQueries } from '#projections/oversight/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { entryOf, pageOf } from './audit-page.js';
import type {
  AccessesQuery,
  AdminAccessesPageDto,
  RefusalsQuery,
  RefusedCommandsPageDto,
} from './dto/oversight.dto.js';
import { UnredactedReadsList } from './unredacted-reads-list.js';

const DEFAULT_PAGE = 50;

export class ListAccesses extends Query<Answer<AdminAccessesPageDto>> {
  constructor(readonly filter: AccessesQuery) {
    super();
  }
}

/** Lists the reads of personal data, by all readers or by one (SPEC G7). */
@QueryHandler(ListAccesses)
export class ListAccessesHandler implements IQueryHandler<ListAccesses> {
  constructor(private readonly reads: UnredactedReadsList) {}

  execute({ filter }: ListAccesses): Promise<Answer<AdminAccessesPageDto>> {
    return this.reads.page(filter);
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
