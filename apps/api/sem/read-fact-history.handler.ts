import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import type { Actor } from '#domain/recorded-event.js';
import { missing } from '#domain/sem/decide.js';
import type { FactHistoryDto, FactHistoryQuery } from './dto/fact-history.dto.js';
import { FactEvents } from './fact-events.js';
import { FactPermissions } from './fact-permissions.js';

const DEFAULT_PAGE = 20;

export class ReadFactHistory extends Query<FactHistoryDto> {
  constructor(
    readonly actor: Actor,
    readonly key: string,
    readonly page: FactHistoryQuery,
  ) {
    super();
  }
}

/** Lists the events of a fact, the newest first, also of a fact that was deleted (SPEC S3, S10, X3). */
@QueryHandler(ReadFactHistory)
export class ReadFactHistoryHandler implements IQueryHandler<ReadFactHistory> {
  constructor(
    private readonly events: FactEvents,
    private readonly permissions: FactPermissions,
  ) {}

  async execute({ actor, key, page }: ReadFactHistory): Promise<FactHistoryDto> {
    parseKey(key);
    await this.permissions.requireRead(actor, key);
    const last = await this.events.lastNumber(key);
    if (last < 0) throw missing(key);
    const { before = last + 1, limit = DEFAULT_PAGE } = page;
    const to = Math.min(before - 1, last);
    const from = Math.max(0, to - limit + 1);
    const events = to < 0 ? [] : await this.events.between(actor, key, from, to);
    return { key, events, next_before: from > 0 ? from : null };
  }
}
