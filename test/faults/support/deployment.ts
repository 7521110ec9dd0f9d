import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { startOwnEventStore, startOwnPostgres, type OwnServer } from '#test/support/servers.js';
import { KillableService } from './killable-service.js';

/** An event store and a Postgres that a test can kill, with as many services as the test wants. */
export class Deployment {
  readonly #services: KillableService[] = [];

  private constructor(
    readonly eventStore: OwnServer,
    readonly postgres: OwnServer,
    /** The test's own connection to the event store. */
    readonly log: EventStore,
    /** The test's own connection to Postgres. */
    readonly rows: Postgres,
  ) {}

  static async start(): Promise<Deployment> {
    const [eventStore, postgres] = await Promise.all([startOwnEventStore(), startOwnPostgres()]);
    const rows = new Postgres({ url: postgres.url, maxConnections: 3 });
    return new Deployment(eventStore, postgres, connectEventStore(eventStore.url), rows);
  }

  async service(): Promise<KillableService> {
    const service = await KillableService.start({
      MACE_EVENTSTORE_URL: this.eventStore.url,
      MACE_POSTGRES_URL: this.postgres.url,
    });
    this.#services.push(service);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    await this.log.close();
    await this.rows.close();
    await Promise.all([this.eventStore.stop(), this.postgres.stop()]);
  }
}
