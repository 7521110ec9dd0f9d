import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Answer } from '../platform/http/answer.js';
import { Describes } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import { PagedLogs } from './log-fields.js';
import { QuarantinePageDto } from './log-view.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'Quarantined logs and rows, after the privacy gate',
  roles: { all: ['admin', 'auditor'], of: 'log' },
  answers: [200, QuarantinePageDto],
  reads: ['reflective_logs'],
})
export class ListQuarantine extends PagedLogs<Answer<QuarantinePageDto>> {}

/** Lists quarantined logs and rows, after the privacy gate (SPEC L5). */
@QueryHandler(ListQuarantine)
export class ListQuarantineHandler implements IQueryHandler<ListQuarantine> {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ cursor, limit = DEFAULT_PAGE }: ListQuarantine) {
    // A refusal returns no position for which a later read could wait. So this handler waits until the
    // read model reaches the end of the event log, and then lists the refused ReflectiveLog.
    const isCurrent = await this.logEnd.isReached('reflective_logs');
    const found = await this.logs.quarantine(cursor, limit + 1);
    const { rows, next_cursor } = pageOf(found, limit, (row) => row.cursor);
    const quarantine = rows.map(({ cursor: _, ...row }) => row);
    return Answer.read({ quarantine, next_cursor }, isCurrent);
  }
}
