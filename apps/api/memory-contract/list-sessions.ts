import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { ownerName } from '#domain/memory-contract/owners.js';
import { MemoryItemQueries } from '#projections/memory-contract/queries.js';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { At, SealedCursorText, UserIdText, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import { SessionsPageDto } from './memory-view.js';
import { ReadablePages } from './readable-pages.js';
import { STORE_READERS } from './store-read.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'The sessions in which assistants acted for a user, the newest first',
  roles: STORE_READERS,
  example: { user_id: 'ada' },
  answers: [200, SessionsPageDto],
  reads: ['memory_items'],
})
export class ListSessions extends ReadRequest<Answer<SessionsPageDto>> {
  @UserIdText() user_id!: string;

  @At() at?: string;

  @SealedCursorText() cursor?: string;

  @Whole({ optional: true, min: 1, max: 200, description: 'The sessions in a page; default: 50.' })
  limit?: number;
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    private readonly queries: MemoryItemQueries,
    private readonly pages: ReadablePages,
    private readonly logEnd: LogEnd,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListSessions): Promise<Answer<SessionsPageDto>> {
    const { actor, user_id, cursor, limit = DEFAULT_PAGE } = asked;
    const begunBy = await this.moments.positionAt(asked.at, 'memory_items');
    const isCurrent = await this.logEnd.isReached('memory_items');
    const userName = foldUserId(ownerName(user_id));
    const { rows, next_cursor } = await this.pages.page({
      ...{ list: 'memory sessions', actor, named: user_id, limit, cursor },
      rows: (before, count) => this.queries.sessions({ userName, before, begunBy, limit: count }),
      storeOf: ({ owner }) => ({ space: 'session', owner }),
      placeOf: ({ position }) => position,
    });
    const sessions = rows.map(({ owner, assistant, position, began_at }) => ({
      ...{ owner, assistant, position, began_at },
    }));
    return Answer.asOf({ sessions, next_cursor }, begunBy, isCurrent);
  }
}
