import { readdir, rmdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS_FOLDER } from '#artifacts/index.js';
import { copyStore, DamagedLog, NodeUnreachable } from '#embedded/event-store-node/store-copy.js';
import { folderWithData } from '#platform/config/kept-data.js';
import { keptLogId } from '#platform/config/log-id-file.js';
import { refuseUnfinishedRestore } from '#platform/config/unfinished-restore.js';
import {
  encodeRefusedWrite,
  QUEUE_FILE,
  queueFolder,
} from '#platform/storage-queue/refused-writes.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { KEY_FILE, keyLine, type KeyRow, keysInFile, keysInTable } from '#subject-keys/key-file.js';
import { FolderInUse, GivenUp, runningServers, startEmbedded } from '#embedded/index.js';
import { Postgres } from '#read-model/postgres.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import { EVENT_STORE, isBackedUp } from './backed-up-paths.js';
import {
  copyDurably,
  digestOf,
  emptyFolder,
  isWithin,
  ifExists,
  ownFolder,
  reasonOf,
  syncFolders,
  writeDurably,
} from './durable-files.js';
import { type BackedUpFile, IMAGE, type Manifest, manifestPath, manifestText } from './manifest.js';
import { queuedWrites } from './queued-writes.js';

/**
 * Returns the wrapped keys of subjects, each once. The file, which a restore leaves, is read before the table,
 * because the service moves its keys to the table, which counts if both have a key. Fails with
 * `PostgresUnavailable`.
 */
async function subjectKeys(
  dataDir: string,
  postgresUrl: string | undefined,
): Promise<readonly KeyRow[]> {
  const inFile = (await keysInFile(dataDir)) ?? [];
  const inTable = postgresUrl === undefined ? [] : await fromPostgres(postgresUrl);
  const known = new Map([...inFile, ...inTable].map((key) => [key.kid, key]));
  return [...known.values()];
}

async function fromPostgres(url: string): Promise<KeyRow[]> {
  const postgres = new Postgres({ url, maxConnections: 1 });
  try {
    return await keysInTable(postgres);
  } finally {
    await postgres.close();
  }
}

/** The servers of a data directory. `stop` stops those that this process has started. */
interface DataServers {
  readonly eventStoreUrl: string;
  /** Undefined if the data directory has no Postgres. */
  readonly postgresUrl: string | undefined;
  stop(): Promise<void>;
}

/**
 * Finds the servers that a running service has started on a data directory, or starts them if none runs. With
 * `ownPostgresUrl`, Postgres is that server.
 */
async function openDataServers(
  dataDir: string,
  ownPostgresUrl: string | undefined,
): Promise<DataServers> {
  const hasPostgres = ownPostgresUrl === undefined && existsSync(join(dataDir, 'postgres'));
  const { eventStore, postgresUrl } = await runningServers(dataDir);
  if (eventStore === undefined) return start(dataDir, hasPostgres, ownPostgresUrl);
  if (eventStore === 'starting')
    throw couldNotCheck(`The event store in ${dataDir} is starting. Try again in a moment.`);
  if (hasPostgres && postgresUrl === undefined)
    throw couldNotCheck(
      `The Postgres in ${dataDir} does not run, and it has the queue of refused writes and the keys of personal data. Start the service, or stop its event store; then try again.`,
    );
  return {
    eventStoreUrl: eventStore.url,
    postgresUrl: ownPostgresUrl ?? postgresUrl,
    stop: async () => undefined,
  };
}

async function start(
  dataDir: string,
  hasPostgres: boolean,
  ownPostgresUrl: string | undefined,
): Promise<DataServers> {
  try {
    const servers = await startEmbedded({
      dataDir,
      eventStore: true,
      postgres: hasPostgres,
      log: () => undefined,
      onCrash: () => undefined,
      onNotice: (sentence) => console.error(sentence),
      onGivenUp: () => undefined,
    });
    return {
      eventStoreUrl: servers.eventStoreUrl!,
      postgresUrl: ownPostgresUrl ?? servers.postgresUrl,
      stop: () => servers.stop(),
    };
  } catch (error) {
    if (error instanceof GivenUp) throw new CommandFailure(EXIT.damaged, error.message);
    if (error instanceof FolderInUse)
      throw couldNotCheck(
        `Process ${error.pid} uses ${dataDir}, and no event store runs there. If the process is starting, try again in a moment; if its event store is a server of your own, see docs/backups.md.`,
      );
    throw couldNotCheck((error as Error).message);
  }
}

export interface BackUpOptions {
  readonly dataDir: string;
  /** The folder of the backup, which is empty or does not exist. */
  readonly out: string;
  /** The service's Postgres if it is not the embedded one. */
  readonly postgresUrl: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of events to copy, and then with events that were copied. */
  readonly onEnd: (events: number) => void;
  readonly onEvents: (events: number) => void;
  readonly onArtifact: () => void;
}

export interface BackUpReport {
  readonly manifest: Manifest;
  /** The artifacts that are damaged in the data directory, and as such in the backup. */
  readonly damagedArtifacts: readonly string[];
  /** The files of the data directory that the service did not make, and that are not in the backup. */
  readonly leftOut: readonly string[];
}

/** Files that exist only while another file is written. */
const DRAFT = /\.\d+\.[0-9a-f]{8}$|^postgres\.init$/;

/**
 * Backs up a data directory while its service runs. The queue is read before the log, and the artifacts and the keys
 * of subjects after it: so each write is in the log or in the queue, and the backup has each artifact and each key
 * that the log names. The manifest is written last. If the backup fails, nothing of it is left.
 */
export async function backUp(options: BackUpOptions): Promise<BackUpReport> {
  const { dataDir, out } = options;
  if ((await folderWithData(dataDir, [EVENT_STORE])) === undefined)
    throw new CommandFailure(
      EXIT.wrongSetting,
      `${dataDir} has no event store. Set MACE_DATA_DIR to the data directory of the service.`,
    );
  requireRestored(dataDir);
  await requireRoomFor(out, dataDir);
  const isNew = !existsSync(out);
  try {
    await ownFolder(out);
    return await write(options);
  } catch (error) {
    await emptyFolder(out).catch(() => undefined);
    if (isNew) await rmdir(out).catch(() => undefined);
    throw failureOf(error, out);
  }
}

function requireRestored(dataDir: string): void {
  try {
    refuseUnfinishedRestore(dataDir);
  } catch (error) {
    throw new CommandFailure(EXIT.wrongSetting, (error as Error).message);
  }
}

async function requireRoomFor(out: string, dataDir: string): Promise<void> {
  if (isWithin(dataDir, out))
    throw couldNotCheck(
      `${out} is inside the data directory, and would be lost with it. Choose another folder, on another disk if possible.`,
    );
  const names = await ifExists(readdir(out)).catch((error: Error) => {
    throw couldNotCheck(`${out} cannot be read: ${error.message}.`);
  });
  if (names !== undefined && names.length > 0)
    throw couldNotCheck(`${out} is not empty; a backup is never written over other files.`);
}

async function write(options: BackUpOptions): Promise<BackUpReport> {
  const { dataDir, out, postgresUrl, signal, onEnd, onEvents } = options;
  const created_at = new Date().toISOString();
  const image = join(out, IMAGE);
  await ownFolder(image);
  const servers = await openDataServers(dataDir, postgresUrl);
  try {
    const queued = await queuedWrites(dataDir, servers.postgresUrl);
    const store = join(image, EVENT_STORE);
    const end = await copyStore(servers.eventStoreUrl, store, { onEnd, onEvents, signal });
    const files: BackedUpFile[] = [];
    for (const name of (await readdir(store)).sort())
      files.push({
        path: `${EVENT_STORE}/${name}`,
        ...(await digestOf(join(store, name), { signal })),
      });
    const keys = await copyKeys(dataDir, image, signal);
    const artifacts = await copyArtifacts(dataDir, image, options);
    const sealing = await subjectKeys(dataDir, servers.postgresUrl);
    if (sealing.length > 0) {
      const written = await writeDurably(join(image, KEY_FILE), sealing.map(keyLine), signal);
      keys.push({ path: KEY_FILE, ...written });
    }
    files.push(...keys, ...artifacts);
    if (queued.length > 0) {
      const path = `${queueFolder(1)}/${QUEUE_FILE}`;
      const records = queued.map(encodeRefusedWrite);
      files.push({ path, ...(await writeDurably(join(image, path), records, signal)) });
    }
    const manifest: Manifest = {
      ...{ kind: 'mace_backup', version: 1, created_at },
      log_id: (await keptLogId(dataDir)) ?? null,
      position: String(end.position),
      events: end.position,
      last_event_id: end.eventId,
      keys: keys.map(({ path }) => path),
      subject_keys: sealing.length,
      artifacts: artifacts.length,
      queued_writes: queued.length,
      files,
    };
    await syncFolders(out);
    await writeDurably(manifestPath(out), [Buffer.from(manifestText(manifest))], signal);
    await syncFolders(out);
    const damagedArtifacts = artifacts
      .filter(({ path, sha256 }) => !path.endsWith(sha256))
      .map(({ path }) => path);
    return { manifest, damagedArtifacts, leftOut: await strangersIn(dataDir) };
  } finally {
    await servers.stop();
  }
}

/**
 * Copies the files with keys and secrets of the data directory itself, and the node's secret. The keys of subjects are
 * written from Postgres.
 */
async function copyKeys(
  dataDir: string,
  image: string,
  signal: AbortSignal,
): Promise<BackedUpFile[]> {
  const names = (await readdir(dataDir))
    .filter((name) => isBackedUp(name) && name !== KEY_FILE)
    .sort();
  const files: BackedUpFile[] = [];
  for (const path of [...names, `${EVENT_STORE}/secret`])
    files.push({
      path,
      ...(await copyDurably(join(dataDir, path), join(image, path), { signal })),
    });
  return files;
}

async function strangersIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isBackedUp(entry.name) && !DRAFT.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

async function copyArtifacts(
  dataDir: string,
  image: string,
  { signal, onArtifact }: Pick<BackUpOptions, 'signal' | 'onArtifact'>,
): Promise<BackedUpFile[]> {
  const folder = join(dataDir, ARTIFACTS_FOLDER);
  const files: BackedUpFile[] = [];
  const entries = (await ifExists(readdir(folder, { withFileTypes: true }))) ?? [];
  const starts = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const start of starts.sort()) {
    for (const name of (await readdir(join(folder, start))).sort()) {
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const path = `${ARTIFACTS_FOLDER}/${start}/${name}`;
      files.push({
        path,
        ...(await copyDurably(join(dataDir, path), join(image, path), { signal })),
      });
      onArtifact();
    }
  }
  return files;
}

function failureOf(error: unknown, out: string): unknown {
  if (error instanceof CommandFailure) return error;
  const { message } = error as Error;
  if (error instanceof DamagedLog)
    return new CommandFailure(
      EXIT.damaged,
      `The log is damaged, so no backup was written: ${message}. An older backup, or mace copy-log --skip-damaged, saves the rest (see its --help).`,
    );
  if (error instanceof NodeUnreachable)
    return couldNotCheck(
      `The event store stopped answering, so no backup was written: ${message}. Try again.`,
    );
  if (error instanceof PostgresUnavailable)
    return couldNotCheck(
      'Postgres does not answer, and it has the queue of refused writes and the keys of personal data, so no backup was written. Try again.',
    );
  return couldNotCheck(`No backup was written to ${out}: ${reasonOf(error)}.`);
}
