import { startEventStoreChild } from '#embedded/event-store-child.js';
import { freePort } from '#embedded/supervisor.js';
import { prepareCluster, startServer, urlOf } from '#embedded/postgres/cluster.js';
import type { RunningChild } from '#embedded/supervised.js';
import { type Proxy, startProxy } from '#test/support/proxy.js';
import { ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ManagedProcess, type ProcessEvents } from './managed-process.js';
import { type Link, PROCESSES, type ProcessName, type ServerName, SERVERS } from './plan.js';
import { SmallDisk } from '#test/support/small-disk.js';

type Both<Value> = readonly [Value, Value];
type ByServer<Value> = Readonly<Record<ServerName, Value>>;

/** An event store, a Postgres and two instances of the service, each in its own process. */
export class Deployment {
  private constructor(
    /** The addresses of the servers, past the proxies. */
    readonly urls: ByServer<string>,
    readonly instances: Both<ServiceClient>,
    private readonly processes: Readonly<Record<ProcessName, ManagedProcess>>,
    private readonly proxies: Both<ByServer<Proxy>>,
    private readonly disks: Partial<ByServer<SmallDisk>>,
    private readonly removeFolders: () => void,
  ) {}

  /**
   * Starts everything, and resolves when both instances answer. With `smallDisks`, the data of the servers
   * is on disks that can be full, where the machine allows it. `log` gets the output of the processes.
   */
  static async start(
    events: ProcessEvents,
    smallDisks: boolean,
    log: (line: string) => void,
  ): Promise<Deployment> {
    const folders = {
      'event-store': temporaryFolder('torture-event-store'),
      postgres: temporaryFolder('torture-postgres'),
    };
    const disks: Partial<Record<ServerName, SmallDisk>> = {};
    for (const server of smallDisks ? SERVERS : []) {
      const disk = await SmallDisk.mount(folders[server].path);
      if (disk !== undefined) disks[server] = disk;
    }
    const storePort = await freePort();
    let storeUrl = '';
    const startStore = async (): Promise<RunningChild> => {
      const output = (line: string): void => log(`event-store: ${line}`);
      const child = await startEventStoreChild(folders['event-store'].path, storePort, output);
      storeUrl = child.url;
      return child;
    };
    const cluster = await prepareCluster(folders.postgres.path);
    const postgresPort = await freePort();
    const startPostgres = (): Promise<RunningChild> =>
      startServer(cluster, postgresPort, (line) => log(`postgres: ${line}`));
    const store = new ManagedProcess('event-store', startStore, events);
    const postgres = new ManagedProcess('postgres', startPostgres, events);
    await Promise.all([store.untilRunning(), postgres.untilRunning()]);
    const urls = { 'event-store': storeUrl, postgres: urlOf(cluster, postgresPort) };

    const services = await Promise.all([startInstance(1), startInstance(2)]);
    async function startInstance(number: 1 | 2) {
      const name = `service-${number}` as const;
      const folder = temporaryFolder(`torture-${name}`);
      const port = await freePort();
      const links = {
        'event-store': await startProxy(urls['event-store']),
        postgres: await startProxy(urls.postgres),
      };
      const environment = {
        ...TEST_KEYS,
        PORT: String(port),
        MACE_EVENTSTORE_URL: links['event-store'].url,
        MACE_POSTGRES_URL: links.postgres.url,
      };
      const child = new ManagedProcess(
        name,
        (spawned) =>
          startService(folder.path, environment, spawned, (line) => log(`${name}: ${line}`)),
        events,
      );
      await child.untilRunning();
      const client = new ServiceClient(`http://127.0.0.1:${port}`, TEST_KEYS.MACE_JWT_SECRET);
      return { child, client, links, folder };
    }
    const [one, two] = services;
    return new Deployment(
      urls,
      [one.client, two.client],
      {
        'event-store': store,
        postgres,
        'service-1': one.child,
        'service-2': two.child,
      },
      [one.links, two.links],
      disks,
      () => {
        for (const disk of Object.values(disks)) disk.remove();
        for (const folder of [...Object.values(folders), one.folder, two.folder]) folder.remove();
      },
    );
  }

  process(name: ProcessName): ManagedProcess {
    return this.processes[name];
  }

  link({ instance, server }: Link): Proxy {
    return this.proxies[instance][server];
  }

  /** Returns undefined if the server's data is on the machine's disk. */
  disk(server: ServerName): SmallDisk | undefined {
    return this.disks[server];
  }

  async stop(): Promise<void> {
    // The services first, because they need the servers to end their work.
    for (const name of [...PROCESSES].reverse()) await this.processes[name].stop();
    for (const proxies of this.proxies)
      for (const proxy of Object.values(proxies)) await proxy.stop();
    this.removeFolders();
  }
}

/** Starts an instance. Resolves when it answers, and fails if it ends before. */
async function startService(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  spawned: (pid: number) => void,
  log: (line: string) => void,
): Promise<RunningChild> {
  const service = ServiceProcess.spawn(dataDir, environment);
  spawned(service.pid);
  service.child.stderr?.on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '') log(line);
  });
  await service.ready();
  return {
    pid: service.pid,
    ended: service.exited.then((code) => ({
      cause: `it ended with ${service.child.signalCode ?? `code ${code}`}`,
    })),
    stop: async () => void (await service.stop('SIGTERM')),
  };
}
