import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { storeView } from '#domain/memory-contract/trace/view.js';
import type { Actor } from '#domain/recorded-event.js';
import type { StorePath } from './dto/memory-path.dto.js';
import { StoreReads } from './store-reads.js';

export class GetStore extends Query<ReturnType<typeof storeView>> {
  /** @param tick the tick at which the store is returned; undefined for the current store (SPEC X3). */
  constructor(
    readonly actor: Actor,
    readonly path: StorePath,
    readonly tick: number | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetStore)
export class GetStoreHandler implements IQueryHandler<GetStore> {
  constructor(private readonly reads: StoreReads) {}

  async execute({ actor, path, tick }: GetStore) {
    return storeView(await this.reads.store(actor, path, tick));
  }
}
