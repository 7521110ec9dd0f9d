import type { Capabilities } from '#apps/api/app.module.js';
import { loadedOnce } from './loaded-once.js';
import {
  startOwnEventStore,
  startTestEventStore,
  startTestPostgres,
  type TestServer,
} from './servers.js';
import { ServiceClient } from './service-client.js';
import { temporaryFolder } from './temporary-folder.js';
import { TEST_KEYS } from './test-keys.js';

/**
 * A service in this process, with a database of its own and, unless `ownLog` or `servers` say otherwise,
 * the event store that all tests share.
 */
export class TestService extends ServiceClient {
  private constructor(
    url: string,
    readonly eventStore: TestServer,
    readonly postgres: TestServer,
    private readonly logLines: readonly Record<string, unknown>[] | undefined,
    private readonly stopService: () => Promise<void>,
    private readonly ownsServers: boolean,
  ) {
    super(url, TEST_KEYS.MACE_JWT_SECRET);
  }

  /** Every line of the service's log, parsed. */
  get log(): readonly Record<string, unknown>[] {
    if (this.logLines === undefined)
      throw new Error(
        'The shared service is another process. Start one of your own to read its log.',
      );
    return this.logLines;
  }

  /**
   * Returns the service that the files of a worker share, in a process of its own. Its read models show all that
   * earlier files wrote, so a test asserts only on what it made (`named`). A test that sets variables, reads the
   * service's log, or stops the service starts one of its own.
   */
  static async shared(): Promise<TestService> {
    const { sharedService } = await loadedOnce<typeof import('./shared-service.js')>(
      '#test/support/shared-service.js',
    );
    const { url, eventStore, postgres } = await sharedService();
    const shared = new TestService(
      url,
      eventStore,
      postgres,
      undefined,
      async () => undefined,
      false,
    );
    shared.writesAreSeen = true;
    await shared.caughtUp();
    return shared;
  }

  /** With `ownLog`, the service has an event store that no other test writes to (`startOwnEventStore`). */
  static async start({
    servers,
    ownLog = false,
    more,
    environment = {},
  }: {
    servers?: { readonly eventStore: TestServer; readonly postgres: TestServer };
    ownLog?: boolean;
    more?: Capabilities;
    environment?: Readonly<Record<string, string>>;
  } = {}): Promise<TestService> {
    const { eventStore, postgres } = servers ?? {
      eventStore: await (ownLog ? startOwnEventStore() : startTestEventStore()),
      postgres: await startTestPostgres(),
    };
    const { readConfig, openLogger, startService } = await programOf(more);
    const config = await readConfig({
      ...TEST_KEYS,
      PORT: '0',
      MACE_DATA_DIR: temporaryFolder('data').path,
      MACE_EVENTSTORE_URL: eventStore.url,
      MACE_POSTGRES_URL: postgres.url,
      ...environment,
    });
    const log: Record<string, unknown>[] = [];
    const logger = openLogger(config.logLevel, {
      write: (line) => log.push(JSON.parse(line) as Record<string, unknown>),
    });
    const service = await startService(
      config,
      { eventStoreUrl: eventStore.url, postgresUrl: postgres.url, embedded: () => [] },
      logger,
      more,
    );
    const started = new TestService(
      service.url,
      eventStore,
      postgres,
      log,
      () => service.stop(),
      servers === undefined,
    );
    if (servers === undefined && !ownLog) await started.caughtUp();
    return started;
  }

  /** Stops the service and the servers that it has started. */
  async stop(): Promise<void> {
    await this.stopService();
    if (!this.ownsServers) return;
    await this.eventStore.stop();
    await this.postgres.stop();
  }
}

type Program = typeof import('#platform/config/service-config.js') &
  typeof import('#platform/start/logger.js') &
  typeof import('#apps/api/service.js');

const MODULES = [
  '#platform/config/service-config.js',
  '#platform/start/logger.js',
  '#apps/api/service.js',
];

/** The modules that start a service. Modules that a test adds must share the product's classes. */
async function programOf(more: Capabilities | undefined): Promise<Program> {
  const load = (specifier: string): Promise<object> =>
    more === undefined ? loadedOnce(specifier) : import(specifier);
  const modules = await Promise.all(MODULES.map(load));
  return Object.assign({}, ...modules) as Program;
}
