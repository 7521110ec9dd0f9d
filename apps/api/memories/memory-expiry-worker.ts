import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import { MemoriesQueries } from '#projections/memories/queries.js';
import { Postgres } from '#read-model/postgres.js';
import { Expiry } from '../platform/expiry.js';
import { SameLog } from '../platform/same-log.js';
import type { MemoriesStore } from '../platform/stores.js';
import { EVENT_STORE, LOGGER, MEMORIES_STORE } from '../platform/tokens.js';

/** Records that memories have expired (SPEC W2). */
@Injectable()
export class MemoryExpiryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly expiry: Expiry<{ readonly stream: string; readonly id: string }>;

  constructor(
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) eventStore: EventStore,
    @Inject(MEMORIES_STORE) memories: MemoriesStore,
    queries: MemoriesQueries,
    sameLog: SameLog,
    postgres: Postgres,
  ) {
    this.expiry = new Expiry({
      ...{ what: 'memory', logger, eventStore, sameLog, postgres },
      due: (at, limit) => queries.due(at, limit),
      expire: ({ stream, id: memory_id }, at, identity) =>
        memories.execute(stream, [{ type: 'lapse', memory_id, at }], identity),
    });
  }

  onApplicationBootstrap(): void {
    this.expiry.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.expiry.stop();
  }
}
