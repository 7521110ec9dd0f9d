import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mintToken } from '#platform/auth/mint-token.js';
import type { Role } from '#platform/auth/roles.js';
import { keysOf } from '#platform/config/keys.js';
import type { Capabilities } from '#apps/api/app.module.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { loadedOnce } from './loaded-once.js';
import {
  startOwnEventStore,
  startTestEventStore,
  startTestPostgres,
  type TestServer,
} from './servers.js';
import { named } from './named.js';
import { temporaryFolder } from './temporary-folder.js';

const HOUR = 3600;

/** The keys of a service in a test, long and varied enough to be accepted. */
export const TEST_KEYS = {
  MACE_JWT_SECRET: 'jwt:Qm7xTz2LwKp9RvBn4HsYd6Gc1FjAe8Uo',
  MACE_SIGNING_KEY: 'sign:Xa3vN8qLr5ZtKw0PyHb7Mc2Jd9SfGe4u',
  MACE_SEALING_KEY: 'seal:Ru6hYk1TzWq8BnXc3Lm5Vp0Jg7Ds9Fae',
  MACE_BUNDLE_KEY: 'MC4CAQAwBQYDK2VwBCIEILEWY6oDqDqsQRGfWnPw9H+vZO6uGkrxZ1eXQ24yzAoS',
};

export interface TokenOptions {
  readonly sub?: string;
  readonly user_id?: string;
  /** The token's life in seconds; a negative value mints an expired token. */
  readonly ttl?: number;
}

export interface Answered<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface CallOptions {
  /** The bearer token; a request without one has no Authorization header. */
  readonly token?: string;
  /** The body, sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP client of a running service. */
export class ServiceClient {
  constructor(
    readonly url: string,
    private readonly jwtSecret: string,
  ) {}

  /**
   * Mints a token that lasts one hour by default. The default `sub` is made from the roles, and is
   * this test file's own.
   */
  token(
    roles: Role | readonly Role[],
    { sub, user_id, ttl = HOUR }: TokenOptions = {},
  ): Promise<string> {
    const list = typeof roles === 'string' ? [roles] : roles;
    return mintToken(
      { jwtSecret: this.jwtSecret },
      { sub: sub ?? named(list.join('-')), roles: list, user_id, ttl },
    );
  }

  async call<Body = ErrorEnvelope>(
    method: string,
    path: string,
    { token, body, headers }: CallOptions = {},
  ): Promise<Answered<Body>> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as Body,
    };
  }

  /**
   * Waits until the read models show the whole log. On a shared event store, a new database begins with what
   * other tests wrote, which can take longer than a read waits.
   */
  async caughtUp(): Promise<void> {
    for (;;) {
      const { body } = await this.call<Ready>('GET', '/health/ready');
      const models = Object.values(body.details).filter(({ lag }) => lag !== undefined);
      const stopped = models.find((model) => model.stopped);
      if (stopped) throw new Error(`A read model has stopped: ${JSON.stringify(stopped)}`);
      if (models.length > 0 && models.every(({ lag }) => lag === '0')) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

interface Ready {
  /** The lag of each read model, in positions of the log; null while it is not known. */
  readonly details: Readonly<
    Record<string, { readonly lag?: string | null; readonly stopped?: object | null }>
  >;
}

/**
 * A service in this process, with a database of its own and, unless `ownLog` or `servers` say otherwise,
 * the event store that all tests share.
 */
export class TestService extends ServiceClient {
  private constructor(
    url: string,
    readonly eventStore: TestServer,
    readonly postgres: TestServer,
    /** Every line of the service's log, parsed. */
    readonly log: readonly Record<string, unknown>[],
    private readonly stopService: () => Promise<void>,
    private readonly ownsServers: boolean,
  ) {
    super(url, TEST_KEYS.MACE_JWT_SECRET);
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
  typeof import('#apps/api/platform/start/service.js');

const MODULES = [
  '#platform/config/service-config.js',
  '#platform/start/logger.js',
  '#apps/api/platform/start/service.js',
];

/** The modules that start a service. Modules that a test adds must share the product's classes. */
async function programOf(more: Capabilities | undefined): Promise<Program> {
  const load = (specifier: string): Promise<object> =>
    more === undefined ? loadedOnce(specifier) : import(specifier);
  const modules = await Promise.all(MODULES.map(load));
  return Object.assign({}, ...modules) as Program;
}

const MAIN = fileURLToPath(import.meta.resolve('#apps/api/main.js'));

/**
 * The service as an operator starts it: in a separate process, with embedded servers in a data
 * directory.
 */
export class ServiceProcess {
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';

  private constructor(
    readonly child: ChildProcess,
    readonly dataDir: string,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Starts the process and returns at once. PORT is a free port unless `environment` sets it. */
  static spawn(
    dataDir: string,
    environment: Readonly<Record<string, string>> = {},
  ): ServiceProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
    const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
      env: {
        ...Object.fromEntries(inherited),
        PORT: '0',
        MACE_DATA_DIR: dataDir,
        MACE_LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, dataDir);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves when the service has printed its address; rejects with its output if it ends before. */
  async ready(): Promise<ServiceClient> {
    const listening = /Listening on +(http:\S+)/;
    let ended = false;
    void this.exited.then(() => (ended = true));
    while (!listening.test(this.stdout)) {
      if (ended) throw new Error(`The service did not start: ${this.stdout}${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const url = listening.exec(this.stdout)?.[1] ?? '';
    return new ServiceClient(url, (await keysOf(this.dataDir)).jwtSecret);
  }

  /** Sends the signal, by default SIGINT (Ctrl-C), and resolves with the exit code. */
  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}
