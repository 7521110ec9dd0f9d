import { ServiceProcess } from './service-process.js';
import { TEST_KEYS } from './test-keys.js';
import { startTestEventStore, startTestPostgres, type TestServer } from './servers.js';
import { temporaryFolder } from './temporary-folder.js';

/** The service that the test files of a worker share, in a process of its own. */
export interface SharedService {
  readonly url: string;
  readonly eventStore: TestServer;
  readonly postgres: TestServer;
}

let started: Promise<SharedService> | undefined;

/** Returns the service of this worker. The first test file that asks starts it; it ends with the worker. */
export const sharedService = (): Promise<SharedService> => (started ??= start());

async function start(): Promise<SharedService> {
  const [eventStore, postgres] = await Promise.all([startTestEventStore(), startTestPostgres()]);
  const service = ServiceProcess.spawn(temporaryFolder('shared-service').path, {
    ...TEST_KEYS,
    MACE_EVENTSTORE_URL: eventStore.url,
    MACE_POSTGRES_URL: postgres.url,
  });
  // Jest ends a worker with SIGTERM if it does not end by itself.
  process.once('SIGTERM', () => process.exit(143));
  process.once('exit', () => service.child.kill('SIGKILL'));
  const { url } = await service.ready();
  service.letThisProcessEnd();
  return { url, eventStore, postgres };
}
