import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import pg from 'pg';
import { FolderInUse, lockFolder, startEmbedded } from '#embedded/index.js';
import { isRunning } from '#embedded/is-running.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const PARENT = fileURLToPath(import.meta.resolve('#test/support/embedded-parent.js'));

interface Started {
  readonly parent: ChildProcess;
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
  readonly pids: { readonly eventStore: number; readonly postgres: number };
}

/** Starts a process that starts both embedded servers and keeps running. */
async function startParent(dataDir: string): Promise<Started> {
  const parent = fork(PARENT, [dataDir], { execArgv: [] });
  cleanUps.push(() => parent.kill('SIGKILL'));
  const started = await new Promise<Omit<Started, 'parent'>>((resolve, reject) => {
    parent.once('message', (message: Omit<Started, 'parent'>) => resolve(message));
    parent.once('exit', (code) => reject(new Error(`The parent ended with ${code}`)));
  });
  return { parent, ...started };
}

async function untilDead(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(20);
}

async function countIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE TABLE IF NOT EXISTS kept (at timestamptz DEFAULT now())');
    await client.query('INSERT INTO kept DEFAULT VALUES');
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM kept');
    return rows[0]!.count;
  } finally {
    await client.end();
  }
}

async function appendTo(url: string): Promise<number> {
  const client = EventStoreDBClient.connectionString(url);
  try {
    await client.appendToStream('kept-1', jsonEvent({ type: 'Kept', data: {} }));
    let count = 0;
    for await (const _ of client.readStream('kept-1')) count++;
    return count;
  } finally {
    await client.dispose();
  }
}

test('kill -9 of the parent process leaves no embedded server running, and the next start finds the data', async () => {
  const folder = temporaryFolder('orphans');
  cleanUps.push(() => folder.remove());
  const first = await startParent(folder.path);
  expect(await countIn(first.postgresUrl)).toBe(1);
  expect(await appendTo(first.eventStoreUrl)).toBe(1);
  first.parent.kill('SIGKILL');
  await untilDead(first.pids.eventStore);
  await untilDead(first.pids.postgres);

  const second = await startParent(folder.path);
  expect(await countIn(second.postgresUrl)).toBe(2);
  expect(await appendTo(second.eventStoreUrl)).toBe(2);
  // The next start must wait for servers that are still ending, or end them.
  second.parent.kill('SIGKILL');
  await untilDead(second.parent.pid!);
  const third = await startParent(folder.path);
  expect(await countIn(third.postgresUrl)).toBe(3);
  expect(await appendTo(third.eventStoreUrl)).toBe(3);
  third.parent.kill('SIGTERM');
  await untilDead(third.pids.eventStore);
  await untilDead(third.pids.postgres);
});

test('an embedded server that crashes is reported, and comes back at the same address with its data', async () => {
  const folder = temporaryFolder('crashes');
  cleanUps.push(() => folder.remove());
  const crashed: string[] = [];
  const embedded = await startEmbedded({
    dataDir: folder.path,
    eventStore: true,
    postgres: true,
    log: () => undefined,
    onCrash: (name) => crashed.push(name),
    onNotice: () => undefined,
    onGivenUp: () => undefined,
  });
  cleanUps.push(() => embedded.stop());
  const { eventStoreUrl, postgresUrl } = embedded;
  expect(await countIn(postgresUrl!)).toBe(1);
  expect(await appendTo(eventStoreUrl!)).toBe(1);
  const killed = embedded.pids();
  process.kill(killed.eventStore!, 'SIGKILL');
  process.kill(killed.postgres!, 'SIGKILL');
  while (embedded.pids().eventStore === killed.eventStore) await sleep(20);
  while (embedded.pids().postgres === killed.postgres) await sleep(20);
  expect([...new Set(crashed)].sort()).toStrictEqual(['event-store', 'postgres']);
  expect(await countIn(postgresUrl!)).toBe(2);
  expect(await appendTo(eventStoreUrl!)).toBe(2);
  const last = embedded.pids();
  await embedded.stop();
  expect(isRunning(last.eventStore!)).toBe(false);
  expect(isRunning(last.postgres!)).toBe(false);
});

test('a start on a folder that is in use is refused with the folder’s name and the pid that uses the folder', async () => {
  const folder = temporaryFolder('lock');
  cleanUps.push(() => folder.remove());
  const unlock = await lockFolder(folder.path);
  const options = {
    dataDir: folder.path,
    eventStore: true,
    postgres: false,
    log: () => undefined,
    onCrash: () => undefined,
    onNotice: () => undefined,
    onGivenUp: () => undefined,
  };
  const starting = startEmbedded(options);
  await expect(starting).rejects.toThrow(FolderInUse);
  await expect(starting).rejects.toThrow(folder.path);
  await expect(starting).rejects.toThrow(String(process.pid));
  await unlock();
  await (await startEmbedded(options)).stop();
  expect(readdirSync(folder.path).filter((name) => name.includes('lock'))).toStrictEqual([]);
});

test('exactly one of 20 concurrent starts takes over the lock of a dead process', async () => {
  const folder = temporaryFolder('stale');
  cleanUps.push(() => folder.remove());
  mkdirSync(folder.path, { recursive: true });
  const ended = fork(PARENT, ['--version'], { execArgv: ['--version'], silent: true });
  await new Promise((resolve) => ended.once('exit', resolve));
  symlinkSync(`${ended.pid} long-gone`, join(folder.path, 'lock.7'));
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder.path)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
