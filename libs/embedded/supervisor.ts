import { join, resolve } from 'node:path';
import { startEventStoreChild } from './event-store-child.js';
import { lockFolder } from './folder-lock.js';
import { passableFolder } from './private-folder.js';
import { freePort } from './free-port.js';
import { prepareCluster, type RunningPostgres, startServer, urlOf } from './postgres/cluster.js';
import { type RunningChild, Supervised } from './supervised.js';

export type EmbeddedName = 'event-store' | 'postgres';

export interface EmbeddedOptions {
  /**
   * The folder for all data; it is created if it does not exist. Only one process at a time may use it.
   */
  readonly dataDir: string;
  readonly eventStore: boolean;
  readonly postgres: boolean;
  /** The maximum bytes of the event store's data. If undefined, only the disk is the limit. */
  readonly eventStoreQuotaBytes?: number;
  /** Receives the children's output line by line. */
  readonly log: (line: string) => void;
  /**
   * Called when a child has ended unexpectedly or could not be restarted. It is restarted at the same
   * address.
   */
  readonly onCrash: (name: EmbeddedName, cause: string) => void;
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
 * if another process uses the data folder. The servers end with this process, even if it is killed.
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
  { log, onCrash, eventStoreQuotaBytes }: EmbeddedOptions,
): Promise<Part> {
  const folder = join(dataDir, 'event-store');
  const logLine = (line: string): void => log(`event store: ${line}`);
  const start = (port: number) => startEventStoreChild(folder, port, logLine, eventStoreQuotaBytes);
  const child = await Supervised.start(
    () => start(0),
    (first) => () => start(first.port),
    (cause) => onCrash('event-store', cause),
  );
  return partOf(child, child.running.url);
}

async function startPostgresPart(
  dataDir: string,
  { log, onCrash }: EmbeddedOptions,
): Promise<Part> {
  const cluster = await prepareCluster(dataDir);
  const port = await freePort();
  const start = () => startServer(cluster, port, (line) => log(`postgres: ${line}`));
  const child = await Supervised.start<RunningPostgres>(
    start,
    () => start,
    (cause) => onCrash('postgres', cause),
  );
  return partOf(child, urlOf(cluster, port));
}

const partOf = (child: Supervised<RunningChild>, url: string): Part => ({
  url,
  pid: () => child.running.pid,
  stop: () => child.stop(),
});
