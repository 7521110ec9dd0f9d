import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { readableSpaces } from '#domain/ownership/store-access.js';
import { memoryStream } from '#domain/stream-names.js';
import { MemoryItemQueries, type StoreSummary } from '#projections/memory-contract/queries.js';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { StoresPageDto } from './memory-view.js';
import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { At, OneOf, SealedCursorText, Text, UserIdText, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { PastStores } from './past-stores.js';
import { ReadablePages } from './readable-pages.js';
import { STORE_READERS } from './store-read.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'The stores that the caller may read, in pages',
  roles: STORE_READERS,
  answers: [200, StoresPageDto],
  reads: ['memory_items'],
})
export class ListStores extends ReadRequest<Answer<StoresPageDto>> {
  @OneOf(SPACES, { optional: true, description: 'Default: all spaces.' })
  space?: Space;

  @Text({
    optional: true,
    max: 256,
    description: 'The beginning of the owner’s name; only together with a space.',
  })
  prefix?: string;

  @UserIdText({
    optional: true,
    description:
      'The user that an agent’s token without a user acts for; it may also be the prefix. Without one, no user’s store is listed.',
  })
  user_id?: string;

  @At() at?: string;

  @SealedCursorText() cursor?: string;

  @Whole({ optional: true, min: 1, max: 200, description: 'The stores in a page; default: 50.' })
  limit?: number;
}

@QueryHandler(ListStores)
export class ListStoresHandler implements IQueryHandler<ListStores> {
  constructor(
    private readonly queries: MemoryItemQueries,
    private readonly pages: ReadablePages,
    private readonly logEnd: LogEnd,
    private readonly moments: Moments,
    private readonly past: PastStores,
  ) {}

  async execute(asked: ListStores): Promise<Answer<StoresPageDto>> {
    const { actor, space, prefix = '', limit = DEFAULT_PAGE } = asked;
    if (space === undefined && prefix !== '')
      throw new Refusal('INVALID_INPUT', { reason: 'space: is needed with a prefix of owners' });
    const position = await this.moments.positionAt(asked.at, 'memory_items');
    const isCurrent = await this.logEnd.isReached('memory_items');
    const streams = space === undefined ? 'memory-' : memoryStream(space, prefix);
    const { rows, next_cursor } = await this.pages.page({
      list: 'memory stores',
      ...{ actor, named: asked.user_id ?? prefix, limit, cursor: asked.cursor },
      rows: (after = '', count) =>
        this.queries.stores(streams, after, count, readableSpaces(actor)),
      ...(position === undefined
        ? {}
        : { asked: (stores: readonly StoreSummary[]) => this.past.of(stores, position) }),
      storeOf: (store) => store,
      placeOf: ({ space: of, owner }) => memoryStream(of, owner),
    });
    const stores = rows.map(({ space: of, owner, tick, revision }) => ({
      ...{ space: of, owner, tick, version: revision },
    }));
    return Answer.asOf({ stores, next_cursor }, position, isCurrent);
  }
}
