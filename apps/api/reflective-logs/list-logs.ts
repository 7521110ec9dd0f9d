import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { readsEveryOwner } from '#domain/ownership/access.js';
import { logsReadableBy } from '#domain/reflective-log/view.js';
import type { Keyring } from '#domain/reflective-log/signature.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { readersOf } from '../platform/auth/roles.js';
import { IdText } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { KEYRING } from '../platform/tokens.js';
import { PagedLogs } from './log-fields.js';
import { LogsPageDto } from './log-view.js';
import { rowView } from './read-log.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 20;

@Describes({
  summary: 'Logs, oldest first; most callers get their own logs',
  roles: readersOf('log'),
  answers: [200, LogsPageDto],
  reads: ['reflective_logs'],
})
export class ListLogs extends PagedLogs<LogsPageDto> {
  @IdText({ optional: true }) job_seed?: string;
  @IdText({ optional: true }) query_id?: string;
}

@QueryHandler(ListLogs)
export class ListLogsHandler implements IQueryHandler<ListLogs> {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    @Inject(KEYRING) private readonly keyring: Keyring,
  ) {}

  async execute(asked: ListLogs): Promise<LogsPageDto> {
    const { actor, job_seed, query_id, cursor, limit = DEFAULT_PAGE } = asked;
    const found = await this.logs.list({
      ...(job_seed === undefined ? {} : { jobSeed: job_seed }),
      ...(query_id === undefined ? {} : { queryId: query_id }),
      ...(readsEveryOwner(actor) ? {} : { readable: logsReadableBy(actor) }),
      ...(cursor === undefined ? {} : { after: cursor }),
      limit: limit + 1,
    });
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    return { reflective_logs: rows.map((row) => rowView(row, this.keyring)), next_cursor };
  }
}
