import { Inject, Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { memoryStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import type { EventStore } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { countAt } from '#event-store/stream-past.js';
import { tickOf } from '#projections/memory-contract/memory-contract.projection.js';
import type { StoreSummary } from '#projections/memory-contract/queries.js';
import { EVENT_STORE } from '../platform/tokens.js';

/** Returns what the stores of a list were at a position of the log. */
@Injectable()
export class PastStores {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /** Returns the stores that had events then, as they were. */
  async of(stores: readonly StoreSummary[], position: bigint): Promise<readonly StoreSummary[]> {
    return (await fewAtOnce(stores, (store) => this.one(store, position))).flat();
  }

  private async one(store: StoreSummary, position: bigint): Promise<StoreSummary[]> {
    const stream = memoryStream(store.space, store.owner);
    const revision = (await countAt(this.eventStore, stream, position)) - 1;
    if (revision < 0) return [];
    if (revision === store.revision) return [store];
    return [{ ...store, revision, tick: await this.tickAt(stream, revision) }];
  }

  /** Ticks only grow, so the last event that used one has the tick of the store. */
  private async tickAt(stream: string, revision: number): Promise<number> {
    for await (const logged of newestFirst(this.eventStore, stream, revision)) {
      const tick = tickOf(upcast<MemoryEvent>(memoryDecider.schemas, logged));
      if (tick > 0) return tick;
    }
    return 0;
  }
}
