import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type { QuarantinePageDto } from './dto/log-view.dto.js';
import type { QuarantineQuery } from './dto/reflective-log.dto.js';

const DEFAULT_PAGE = 50;

export class ListQuarantine extends Query<Answer<QuarantinePageDto>> {
  constructor(readonly page: QuarantineQuery) {
    super();
  }
}

/** Lists quarantined logs and rows, after the privacy gate (SPEC L5). */
@QueryHandler(ListQuarantine)
export class ListQuarantineHandler implements IQueryHandler<ListQuarantine> {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ page: { cursor, limit = DEFAULT_PAGE } }: ListQuarantine) {
    // A refusal returns no position for which a later read could wait. So this handler waits until the
    // read model reaches the end of the event log, and then lists the refused ReflectiveLog.
    const isCurrent = await this.logEnd.isReached('reflective_logs');
    const rows = await this.logs.quarantine(cursor, limit + 1);
    const page = rows.slice(0, limit);
    const answer = {
      quarantine: page.map(({ cursor: _, ...row }) => row),
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
    };
    return Answer.read(answer, isCurrent);
  }
}
