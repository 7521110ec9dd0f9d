import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresBinaries } from './binaries.js';
import { canReach, openToPass, SHARED_HOME } from './reach.js';
import { type Ending } from '../supervised.js';
import { type ServerUser, serverUser } from './server-user.js';

const run = promisify(execFile);

const ROLE = 'mace';
const DATABASE = 'mace';
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 20_000;
const POLL_MS = 20;
/** The numbers of the lines in the pid file that contain the server's port and its state. */
const PORT_LINE = 3;
const STATUS_LINE = 7;
export const PASSWORD_FILE = 'postgres.password';

/** The settings are modest, because the service shares the machine. Commits still wait for the disk. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  jit: 'off',
  huge_pages: 'off',
  // Clients get their own errors, so the log needs only fatal ones.
  log_min_messages: 'fatal',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/**
 * A shell script that runs the server and shuts it down when its standard input closes. This happens
 * whenever the parent process dies, so no server is left running.
 */
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( read -r nothing <&3; kill -INT $server; sleep 20; kill -QUIT $server ) 2>/dev/null &
watcher=$!
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/** The folder of a cluster, and the settings to run it. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: string;
  readonly user: ServerUser | undefined;
  readonly password: string;
}

export interface RunningPostgres {
  readonly pid: number;
  /** Resolves when the server has ended. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
}

/** Returns the cluster in a data folder; creates it if it does not exist. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const user = await serverUser();
  const [binaries, folder] = await Promise.all([
    postgresBinaries(user),
    clusterFolder(dataDir, user),
  ]);
  const password = await keptPassword(join(dataDir, PASSWORD_FILE));
  const cluster = { folder, binaries, user, password };
  await endStaleServer(folder);
  if (!(await stat(join(folder, 'PG_VERSION')).catch(() => undefined))) await initialise(cluster);
  return cluster;
}

export const urlOf = ({ password }: Pick<Cluster, 'password'>, port: number): string =>
  `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;

/** Returns the connection string of the server that runs on a data folder; undefined if none runs. */
export async function runningServerUrl(dataDir: string): Promise<string | undefined> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
  if (folder === undefined || (await serverPid(folder)) === undefined) return undefined;
  const port = Number((await pidFile(folder)).split('\n')[PORT_LINE]);
  const password = await readFile(join(dataDir, PASSWORD_FILE), 'utf8').catch(() => '');
  return port > 0 ? urlOf({ password: password.trim() }, port) : undefined;
}

/**
 * Starts the server. Resolves when it answers, and fails after 30 s. A killed server leaves processes that use its
 * memory until they notice its end; the start waits for them.
 */
export async function startServer(
  cluster: Cluster,
  port: number,
  log: (line: string) => void,
): Promise<RunningPostgres> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      return await startOnce(cluster, port, log);
    } catch (error) {
      if (!(error instanceof MemoryInUse) || Date.now() > until) throw error;
      await sleep(POLL_MS);
    }
  }
}

/** Thrown if processes of the server before still use its shared memory. */
class MemoryInUse extends Error {}

async function startOnce(
  cluster: Cluster,
  port: number,
  log: (line: string) => void,
): Promise<RunningPostgres> {
  await endStaleServer(cluster.folder);
  const leftBehind = await pidFile(cluster.folder);
  const child = spawnServer(cluster, port);
  const errorLines: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((each) => each !== '')) {
      errorLines.push(line);
      if (errorLines.length > 20) errorLines.shift();
      log(line);
    }
  });
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => resolve({ cause: error.message }));
    child.once('exit', (code, signal) =>
      resolve({
        cause: `it ended with ${signal ?? `code ${code}`}: ${errorLines.at(-1) ?? 'it printed no error'}`,
      }),
    );
  });
  const stop = async (): Promise<void> => {
    child.ref();
    child.stdin?.end();
    await ended;
  };
  try {
    await untilReady(cluster, leftBehind, ended);
    await ensureDatabase(cluster, port);
    const pid = await serverPid(cluster.folder);
    if (pid === undefined) throw new Error('PostgreSQL ended during its start');
    release(child);
    return { pid, ended, stop };
  } catch (error) {
    await stop();
    if (errorLines.some((line) => line.includes('pre-existing shared memory block')))
      throw new MemoryInUse((error as Error).message);
    throw error;
  }
}

/** Lets this process exit without waiting for the server. The guard then notices the exit and stops the server. */
function release(child: ChildProcess): void {
  child.unref();
  (child.stderr as { unref?: () => void } | null)?.unref?.();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
}

function spawnServer({ binaries, folder, user }: Cluster, port: number): ChildProcess {
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [join(binaries, 'bin', 'postgres'), '-D', folder, ...flags];
  return spawn('/bin/sh', ['-c', GUARD, 'postgres-guard', ...server], {
    ...user,
    cwd: '/',
    // The server gets its own process group, so that Ctrl-C reaches only the service, which then stops the server.
    detached: true,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

/** Waits for a new pid file that says `ready`. A killed server leaves its old pid file behind. */
async function untilReady(
  { folder }: Cluster,
  leftBehind: string,
  ended: Promise<Ending>,
): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  let hasEnded: string | undefined;
  void ended.then(({ cause }) => (hasEnded = cause));
  for (;;) {
    const file = await pidFile(folder);
    if (file !== leftBehind && file.split('\n')[STATUS_LINE]?.trim() === 'ready') return;
    if (hasEnded !== undefined) throw new Error(`PostgreSQL did not start: ${hasEnded}`);
    if (Date.now() > until) throw new Error('PostgreSQL was not ready in time');
    await sleep(POLL_MS);
  }
}

async function ensureDatabase(cluster: Cluster, port: number): Promise<void> {
  const found = await query(
    cluster,
    port,
    'postgres',
    `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`,
  );
  if (found === 0) await query(cluster, port, 'postgres', `CREATE DATABASE ${DATABASE}`);
}

async function query(
  { password }: Cluster,
  port: number,
  database: string,
  sql: string,
): Promise<number> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: ROLE, password, database });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns the cluster's folder. It is inside the data folder or, if the server's user cannot enter that,
 * in a shared folder to which the data folder has a link.
 */
async function clusterFolder(dataDir: string, user: ServerUser | undefined): Promise<string> {
  const here = join(dataDir, 'postgres');
  const existing = await lstat(here).catch(() => undefined);
  if (existing) return realpath(here);
  if (user) await openToPass(dataDir);
  if (await canReach(dataDir, user)) return join(await realpath(dataDir), 'postgres');
  await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 });
  const home = await mkdtemp(join(SHARED_HOME, 'data-'));
  await openToPass(home);
  const sharedFolder = join(home, 'postgres');
  await mkdir(sharedFolder, { mode: 0o700 });
  await symlink(sharedFolder, here);
  return sharedFolder;
}

async function keptPassword(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept !== '') return kept.trim();
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

async function initialise({ binaries, folder, user, password }: Cluster): Promise<void> {
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.init`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700, recursive: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) {
    await chown(draft, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  try {
    await run(
      join(binaries, 'bin', 'initdb'),
      [
        `--pgdata=${draft}`,
        `--username=${ROLE}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
      ],
      { ...user, cwd: dirname(draft), env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } },
    );
    // The remains of an interrupted first start are removed, and the first start begins again. A cluster
    // is therefore either complete or missing.
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** Stops a server that still runs on this folder because an earlier run of the service was killed. */
async function endStaleServer(folder: string): Promise<void> {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGKILL'];
  for (const signal of signals) {
    const pid = await serverPid(folder);
    if (pid === undefined) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const until = Date.now() + STOP_WITHIN_MS;
    while ((await serverPid(folder)) === pid && Date.now() < until) await sleep(POLL_MS);
  }
}

const pidFile = (folder: string): Promise<string> =>
  readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');

/** Returns the pid in a folder's pid file, if a process with this pid runs and is a server. */
async function serverPid(folder: string): Promise<number | undefined> {
  const pid = Number((await pidFile(folder)).split('\n')[0]);
  if (!(pid > 0)) return undefined;
  const command = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''),
  );
  return command.includes(folder) ? pid : undefined;
}
