import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#domain/json.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { logsReadableBy } from '#domain/reflective-log/view.js';
import type { Keyring } from '#domain/reflective-log/signature.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { KEYRING } from '../platform/tokens.js';
import type { LogsQuery } from './dto/reflective-log.dto.js';
import { rowView } from './read-log.handler.js';

const DEFAULT_PAGE = 20;

export interface LogsPage {
  readonly reflective_logs: readonly JsonObject[];
  readonly next_cursor: string | null;
}

export class ListLogs extends Query<LogsPage> {
  constructor(
    readonly actor: Actor,
    readonly filter: LogsQuery,
  ) {
    super();
  }
}

/** Lists logs, oldest first. Only some roles see the logs of others (SPEC I9). */
@QueryHandler(ListLogs)
export class ListLogsHandler implements IQueryHandler<ListLogs> {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    @Inject(KEYRING) private readonly keyring: Keyring,
  ) {}

  async execute({ actor, filter }: ListLogs): Promise<LogsPage> {
    const { job_seed, query_id, cursor, limit = DEFAULT_PAGE } = filter;
    const rows = await this.logs.list({
      ...(job_seed === undefined ? {} : { jobSeed: job_seed }),
      ...(query_id === undefined ? {} : { queryId: query_id }),
      ...(readsEveryOwner(actor) ? {} : { readable: logsReadableBy(actor) }),
      ...(cursor === undefined ? {} : { after: cursor }),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      reflective_logs: page.map((row) => rowView(row, this.keyring)),
      next_cursor: rows.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
  }
}
