import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import type { JsonObject } from '#domain/json.js';
import { hasRole, ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Keyring } from '#domain/reflective-log/signature.js';
import { type LogFilter, ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { KEYRING } from '../platform/tokens.js';
import type { LogsQuery } from './dto/reflective-log.dto.js';
import { rowView } from './read-log.handler.js';

const DEFAULT_PAGE = 20;

/** Selects the logs that the caller owns (SPEC I9). */
const ownedBy = (actor: Actor): NonNullable<LogFilter['owner']> => {
  const user = ownUserId(actor);
  return { sub: actor.sub, userFolded: user === undefined ? null : foldUserId(user) };
};

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

/** Lists logs, oldest first; most callers get only their own (SPEC I9). */
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
      ...(hasRole(actor, 'council', 'auditor', 'admin') ? {} : { owner: ownedBy(actor) }),
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
