import { type StartedTestContainer, GenericContainer, Wait } from 'testcontainers';
import { EVENT_STORE_IMAGE, NODE_PORT } from './event-store-settings.js';

const STARTUP_MS = 120_000;

/** Makes a container of the server with these settings. It still has to be started. */
export const eventStoreContainer = (environment: Record<string, string>): GenericContainer =>
  new GenericContainer(EVENT_STORE_IMAGE)
    .withEnvironment(environment)
    .withWaitStrategy(healthy(environment))
    .withStartupTimeout(STARTUP_MS);

function healthy(environment: Record<string, string>) {
  const health = Wait.forHttp('/health/live', NODE_PORT).forStatusCode(204);
  return environment['EVENTSTORE_INSECURE'] === 'true' ? health : health.usingTls().allowInsecure();
}

export const startPostgres = (): Promise<StartedTestContainer> =>
  new GenericContainer('postgres:17')
    .withEnvironment({ POSTGRES_USER: 'mace', POSTGRES_HOST_AUTH_METHOD: 'trust' })
    .withExposedPorts(5432)
    // Postgres starts twice: first to initialize its data, then to serve.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .withStartupTimeout(STARTUP_MS)
    .start();
