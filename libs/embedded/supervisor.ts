import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { startEventStoreChild } from './event-store-child.js';
import { lockFolder } from './folder-lock.js';
import { prepareCluster, type RunningPostgres, startServer, urlOf } from './postgres/cluster.js';
import { passableFolder } from './private-folder.js';
import { type GivenUp, type RunningChild, Supervised } from './supervised.js';

/** Returns a free port on the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export type EmbeddedName = 'event-store' | 'postgres';

export interface EmbeddedOptions {
  /** The folder for all data; it is created if it does not exist. Only one process at a time may use it. */
  readonly dataDir: string;
  readonly eventStore: boolean;
  readonly postgres: boolean;
  /** The maximum bytes of the event store's data. If undefined, only the disk is the limit. */
  readonly eventStoreQuotaBytes?: number;
  /** Receives the children's output line by line. */
  readonly log: (line: string) => void;
  /** Called when a child has ended unexpectedly or could not be restarted. It is restarted at the same address. */
  readonly onCrash: (name: EmbeddedName, cause: string) => void;
  /** Receives a sentence whenever a start of the event store mends or converts its files. */
  readonly onNotice: (sentence: string) => void;
  /** Called when a child is not started again, because it can only end in the same way. */
  readonly onGivenUp: (failure: GivenUp) => void;
}

export interface Embedded {
  /** The connection string of the event store, which contains its secret. */
  readonly eventStoreUrl?: string;
  readonly postgresUrl?: string;
  /** The process ids at present. A restart changes them. */
  pids(): { readonly eventStore?: number; readonly postgres?: number };
  stop(): Promise<void>;
}

interface Part {
  readonly url: string;
  readonly pid: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts both embedded servers at the same time, and resolves when both answer. Fails with `FolderInUse`
 * if another process uses the data folder, and with `GivenUp` if the files of a server are damaged. The servers end with this process, even if it is killed.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir);
  await passableFolder(dataDir);
  const unlock = await lockFolder(dataDir);
  const starting = await Promise.allSettled([
    options.eventStore ? startEventStorePart(dataDir, options) : Promise.resolve(undefined),
    options.postgres ? startPostgresPart(dataDir, options) : Promise.resolve(undefined),
  ]);
  const stopAll = async (): Promise<void> => {
    await Promise.all(
      starting.map(async (each) => {
        if (each.status === 'fulfilled') await each.value?.stop();
      }),
    );
    await unlock();
  };
  const failed = starting.find((each) => each.status === 'rejected');
  if (failed) {
    await stopAll();
    throw failed.reason;
  }
  const [eventStore, postgres] = starting.map((each) =>
    each.status === 'fulfilled' ? each.value : undefined,
  );
  let stopping: Promise<void> | undefined;
  return {
    ...(eventStore && { eventStoreUrl: eventStore.url }),
    ...(postgres && { postgresUrl: postgres.url }),
    pids: () => ({
      ...(eventStore && { eventStore: eventStore.pid() }),
      ...(postgres && { postgres: postgres.pid() }),
    }),
    stop: () => (stopping ??= stopAll()),
  };
}

async function startEventStorePart(
  dataDir: string,
  { log, onCrash, onNotice, onGivenUp, eventStoreQuotaBytes }: EmbeddedOptions,
): Promise<Part> {
  const folder = join(dataDir, 'event-store');
  const logLine = (line: string): void => log(`event store: ${line}`);
  const start = (port: number) =>
    startEventStoreChild(folder, port, logLine, eventStoreQuotaBytes, onNotice);
  const child = await Supervised.start({
    start: () => start(0),
    restart: ({ port }) => start(port),
    onCrash: (cause) => onCrash('event-store', cause),
    onGivenUp,
    afterTwoFaults: (signal, step) =>
      `The event store was ended by ${signal} twice while it was ${step}, and is not started again. Its file ` +
      `${join(folder, 'events.lmdb')} may be damaged: check the disk and the memory of this machine, and restore ` +
      `${folder} from a backup.`,
  });
  return partOf(child, child.running.url);
}

async function startPostgresPart(
  dataDir: string,
  { log, onCrash, onGivenUp }: EmbeddedOptions,
): Promise<Part> {
  const cluster = await prepareCluster(dataDir);
  const port = await freePort();
  const start = () => startServer(cluster, port, (line) => log(`postgres: ${line}`));
  const child = await Supervised.start<RunningPostgres>({
    start,
    restart: start,
    onCrash: (cause) => onCrash('postgres', cause),
    onGivenUp,
    afterTwoFaults: (signal, step) =>
      `Postgres was ended by ${signal} twice while it was ${step}, and is not started again. Its files in ` +
      `${join(dataDir, 'postgres')} may be damaged: restore them from a backup.`,
  });
  return partOf(child, urlOf(cluster, port));
}

const partOf = (child: Pick<Supervised<RunningChild>, 'running' | 'stop'>, url: string): Part => ({
  url,
  pid: () => child.running.pid,
  stop: () => child.stop(),
});
