import { QueryHandler } from '@nestjs/cqrs';
import { storeView } from '#domain/memory-contract/trace/view.js';
import { StoreReads } from './store-reads.js';
import { Moments, requireOne } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { At, Whole } from '../platform/http/fields.js';
import { StoreViewDto } from './memory-view.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';

@Describes({
  summary: 'The items of a store, now or at an earlier tick',
  roles: STORE_READERS,
  answers: [200, StoreViewDto],
  fails: ['NOT_FOUND'],
})
export class GetStore extends StoreRead<Answer<StoreViewDto>> {
  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER }) tick?: number;
  @At('tick') at?: string;
}

@QueryHandler(GetStore)
export class GetStoreHandler {
  constructor(
    private readonly reads: StoreReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: GetStore) {
    const { tick, at } = asked;
    requireOne({ tick, at });
    const position = await this.moments.positionAt(at);
    return Answer.asOf(storeView(await this.reads.store(asked, { tick, position })), position);
  }
}
