import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { API_ROLE, KEYS_ROLE, prepareRole } from '#read-model/api-role.js';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { RowMacs } from '#read-model/row-macs.js';
import { SearchLanguage } from '#read-model/search-language.js';
import type { ServiceConfig } from './config/service-config.js';
import { EventStoreWatch } from './servers/event-store-watch.js';
import { CONFIG, EVENT_STORE_CONNECTION, KEYS_POSTGRES, LOGGER, OWNER_POSTGRES } from './tokens.js';

/** The URLs of a program's servers, embedded or external. */
export interface ServerUrls {
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
}

const MAX_KEY_CONNECTIONS = 4;

/** Provides the configuration, the logger and the connections of every program. */
@Module({})
export class ProgramModule implements OnApplicationShutdown {
  constructor(
    @Inject(EVENT_STORE_CONNECTION) private readonly eventStore: EventStore,
    @Inject(OWNER_POSTGRES) private readonly owner: Postgres,
    private readonly postgres: Postgres,
    @Inject(KEYS_POSTGRES) private readonly keysPostgres: Postgres,
    private readonly eventStoreWatch: EventStoreWatch,
  ) {}

  /** The module is global and imported first, so its connections are closed after everything else has stopped. */
  static of(
    config: ServiceConfig,
    { eventStoreUrl, postgresUrl }: ServerUrls,
    logger: Logger,
  ): DynamicModule {
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      {
        provide: EVENT_STORE_CONNECTION,
        useFactory: () =>
          connectEventStore(eventStoreUrl, {
            appendTimeoutMs: config.eventStoreTimeoutMs,
            readTimeoutMs: config.eventStoreTimeoutMs,
          }),
      },
      {
        provide: EventStoreWatch,
        useFactory: () => EventStoreWatch.start(eventStoreUrl, logger),
      },
      {
        provide: RowMacs,
        useFactory: () => new RowMacs(config.sealingKey, config.oldSealingKeys),
      },
      { provide: SearchLanguage, useFactory: () => new SearchLanguage(config.searchLanguage) },
      {
        provide: OWNER_POSTGRES,
        inject: [RowMacs],
        useFactory: (macs: RowMacs) => new Postgres({ url: postgresUrl, macs }),
      },
      {
        provide: Postgres,
        inject: [OWNER_POSTGRES],
        useFactory: async (owner: Postgres) => {
          await separateRoles(owner, logger);
          return new Postgres({ url: postgresUrl, role: API_ROLE, macs: owner.macs! });
        },
      },
      {
        provide: KEYS_POSTGRES,
        inject: [OWNER_POSTGRES],
        useFactory: async (owner: Postgres) => {
          await prepareRole(owner, KEYS_ROLE).catch(ignoreOutage);
          return new Postgres({
            url: postgresUrl,
            role: KEYS_ROLE,
            maxConnections: MAX_KEY_CONNECTIONS,
          });
        },
      },
    ];
    return { module: ProgramModule, global: true, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.eventStoreWatch.stop();
    await this.eventStore.close();
    await this.postgres.close();
    await this.keysPostgres.close();
    await this.owner.close();
  }
}

/** Prepares the API role. Logs a warning if the service keeps rights that it should not have (SPEC L3). */
async function separateRoles(owner: Postgres, logger: Logger): Promise<void> {
  try {
    if (await prepareRole(owner, API_ROLE)) return;
    logger.warn(
      { type: 'roles_not_separated', role: API_ROLE },
      `The user of MACE_POSTGRES_URL can neither create nor use the role ${API_ROLE}, so Postgres does not prevent the service from changing signed logs.`,
    );
  } catch (cause) {
    // The projections create the role as soon as Postgres answers.
    if (!(cause instanceof PostgresUnavailable)) throw cause;
  }
}

/** A Postgres that does not answer now must not prevent the start; each use of a key reports it. */
function ignoreOutage(cause: unknown): undefined {
  if (cause instanceof PostgresUnavailable) return undefined;
  throw cause;
}
