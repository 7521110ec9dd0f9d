import { QueryHandler } from '@nestjs/cqrs';
import { storeView } from '#domain/memory-contract/trace/view.js';
import { StoreReads } from './store-reads.js';
import { Whole } from '../platform/http/fields.js';
import { StoreViewDto } from './memory-view.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';

@Describes({
  summary: 'The items of a store, now or at an earlier tick',
  roles: STORE_READERS,
  answers: [200, StoreViewDto],
  fails: ['NOT_FOUND'],
})
export class GetStore extends StoreRead<StoreViewDto> {
  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER }) tick?: number;
}

@QueryHandler(GetStore)
export class GetStoreHandler {
  constructor(private readonly reads: StoreReads) {}

  async execute(asked: GetStore) {
    return storeView(await this.reads.store(asked, asked.tick));
  }
}
