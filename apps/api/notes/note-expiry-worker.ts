import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import { NoteQueries } from '#projections/notes/queries.js';
import { Postgres } from '#read-model/postgres.js';
import { Expiry } from '../platform/expiry.js';
import { SameLog } from '../platform/same-log.js';
import type { NoteStore } from '../platform/stores.js';
import { EVENT_STORE, LOGGER, NOTE_STORE } from '../platform/tokens.js';

/** Records that notes have expired (SPEC N3). */
@Injectable()
export class NoteExpiryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly expiry: Expiry<{ readonly stream: string }>;

  constructor(
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) eventStore: EventStore,
    @Inject(NOTE_STORE) notes: NoteStore,
    queries: NoteQueries,
    sameLog: SameLog,
    postgres: Postgres,
  ) {
    this.expiry = new Expiry({
      ...{ what: 'note', logger, eventStore, sameLog, postgres },
      due: (at, limit) => queries.due(at, limit),
      expire: ({ stream }, at, identity) =>
        notes.execute(stream, [{ type: 'expire', at }], identity),
    });
  }

  onApplicationBootstrap(): void {
    this.expiry.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.expiry.stop();
  }
}
