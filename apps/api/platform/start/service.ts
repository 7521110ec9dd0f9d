import type { Logger } from 'pino';
import { connectEventStore } from '#event-store/event-store-db.js';
import { API_ROLE, prepareApiRole } from '#read-model/api-role.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { PostgresReadModels } from '../read-models.js';
import type { EmbeddedServer } from '../resources.js';
import { startHttp, type Capabilities } from './http-service.js';
import { READ_MODELS } from '#projections/read-models.js';

/** The servers that a service works on, embedded or running elsewhere. */
export interface Servers {
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
  readonly embedded: () => readonly EmbeddedServer[];
}

export interface Service {
  readonly url: string;
  /** Stops in the order that loses nothing: requests, process managers, projections, connections. */
  stop(): Promise<void>;
}

/** How long a start waits for the read models' tables before it serves without them. */
const TABLES_PATIENCE_MS = 15_000;

/** The service over running servers: projections, process managers, HTTP. Fails with EADDRINUSE. */
export async function startService(
  config: ServiceConfig,
  servers: Servers,
  logger: Logger,
  more: Capabilities = [],
): Promise<Service> {
  const eventStore = connectEventStore(servers.eventStoreUrl);
  // The projections work in the name of the URL's user, everything else as a role that changes no read model.
  const owner = new Postgres({ url: servers.postgresUrl });
  const postgres = new Postgres({ url: servers.postgresUrl, role: API_ROLE });
  const watch = new PositionWatch(owner);
  const names = READ_MODELS.map(({ name }) => name);
  const readModels = new PostgresReadModels(postgres, watch, names);
  const runner = new ProjectionRunner({
    eventStore,
    postgres: owner,
    projections: READ_MODELS,
    watch,
    log: logger,
  });
  const closeAll = async (): Promise<void> => {
    await runner.stop();
    await watch.close();
    await eventStore.close();
    await postgres.close();
    await owner.close();
  };
  try {
    await separateRoles(owner, logger);
    if (config.projections === 'internal') runner.start();
    await tablesOf(readModels, logger);
    const resources = { config, logger, eventStore, postgres, readModels, ...servers };
    const http = await startHttp(resources, more);
    return {
      url: http.url,
      stop: async () => {
        await http.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Waits until every read model can be asked, if need be with no rows yet. */
async function tablesOf(readModels: PostgresReadModels, logger: Logger): Promise<void> {
  const until = Date.now() + TABLES_PATIENCE_MS;
  while (!(await readModels.exist())) {
    if (Date.now() > until) {
      logger.warn({ type: 'read_models_missing' }, 'Serving before the read models are there.');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Says so where the service keeps rights that it should not have (SPEC L3). */
async function separateRoles(owner: Postgres, logger: Logger): Promise<void> {
  try {
    if (await prepareApiRole(owner)) return;
    logger.warn(
      { type: 'roles_not_separated', role: API_ROLE },
      `The user of MACE_POSTGRES_URL may neither make nor take the role ${API_ROLE}: Postgres does not keep the service from changing signed logs.`,
    );
  } catch (cause) {
    // The projections make the role as soon as Postgres is there.
    if (!(cause instanceof PostgresUnavailable)) throw cause;
  }
}
