import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { memoryStream } from '#domain/stream-names.js';
import { MemoryItemQueries, type StoreSummary } from '#projections/memory-contract/queries.js';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { StoresPageDto } from './memory-view.js';
import { MemoryAccess } from './memory-access.js';
import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { At, OneOf, Text, UserIdText, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { PastStores } from './past-stores.js';
import { STORE_READERS } from './store-read.js';

const DEFAULT_PAGE = 50;
/** The most stores that one request looks at, because each one that the caller may not read costs a look at its claim. */
const MOST_LOOKED_AT = 1_000;

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

  @Text({ optional: true, max: 512, description: 'The next_cursor of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 200, description: 'The stores in a page; default: 50.' })
  limit?: number;
}

@QueryHandler(ListStores)
export class ListStoresHandler implements IQueryHandler<ListStores> {
  constructor(
    private readonly queries: MemoryItemQueries,
    private readonly access: MemoryAccess,
    private readonly logEnd: LogEnd,
    private readonly moments: Moments,
    private readonly past: PastStores,
  ) {}

  async execute(asked: ListStores): Promise<Answer<StoresPageDto>> {
    const { actor, space, prefix = '', cursor = '', limit = DEFAULT_PAGE } = asked;
    if (space === undefined && prefix !== '')
      throw new Refusal('INVALID_INPUT', { reason: 'space: is needed with a prefix of owners' });
    const position = await this.moments.positionAt(asked.at, 'memory_items');
    const isCurrent = await this.logEnd.isReached('memory_items');
    const answer = (stores: readonly StoreSummary[], next: string | null) =>
      Answer.asOf(pageOf(stores, next), position, isCurrent);
    const streams = space === undefined ? 'memory-' : memoryStream(space, prefix);
    const found: StoreSummary[] = [];
    let after = cursor;
    for (let looked = 0; looked < MOST_LOOKED_AT && found.length < limit; looked += limit) {
      const stores = await this.queries.stores(streams, after, limit);
      const readable = await this.readable(actor, stores, asked.user_id ?? prefix);
      found.push(...(position === undefined ? readable : await this.past.of(readable, position)));
      after = streamOf(found[limit - 1] ?? stores.at(-1)) ?? after;
      if (stores.length < limit && found.length <= limit) return answer(found, null);
    }
    return answer(found.slice(0, limit), after);
  }

  private async readable(
    actor: Actor,
    stores: readonly StoreSummary[],
    named: string,
  ): Promise<StoreSummary[]> {
    if (readsEveryOwner(actor)) return [...stores];
    const may = await Promise.all(stores.map((store) => this.mayRead(actor, store, named)));
    return stores.filter((_, index) => may[index]);
  }

  private async mayRead(
    actor: Actor,
    { space, owner }: StoreSummary,
    named: string,
  ): Promise<boolean> {
    try {
      await this.access.requireListed(actor, space, owner, named);
      return true;
    } catch (cause) {
      if (cause instanceof Refusal && cause.code !== 'INTEGRITY_FAILURE') return false;
      throw cause;
    }
  }
}

const streamOf = (store: StoreSummary | undefined): string | undefined =>
  store && memoryStream(store.space, store.owner);

const pageOf = (stores: readonly StoreSummary[], next_cursor: string | null): StoresPageDto => ({
  stores: stores.map(({ space, owner, tick, revision }) => ({
    ...{ space, owner, tick, version: revision },
  })),
  next_cursor,
});
