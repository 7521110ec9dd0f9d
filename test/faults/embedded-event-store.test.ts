import { afterAll, afterEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startEventStoreChild } from '#embedded/event-store-child.js';
import { Killable } from '../support/killable.js';
import { startOwnEventStore } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const WRITERS = 64;
const KILLS = 3;

interface Acknowledged {
  readonly stream: string;
  readonly ids: string[];
}

/** Appends until the server dies, and records the id of each acknowledged event. */
async function writeUntilDead(client: EventStoreDBClient, written: Acknowledged): Promise<void> {
  for (;;) {
    const event = jsonEvent({ type: 'Happened', data: { n: written.ids.length } });
    const acknowledged = await Promise.race([
      client.appendToStream(written.stream, event).then(
        () => true,
        () => false,
      ),
      // BatchAppend has no timeout of its own.
      sleep(5_000, false, { ref: false }),
    ]);
    if (!acknowledged) return;
    written.ids.push(event.id);
  }
}

async function idsOf(client: EventStoreDBClient, stream: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { event } of client.readStream(stream)) ids.push(event!.id);
  return ids;
}

test('after kill -9 during appends by 64 writers, every acknowledged event is stored exactly once, in order', async () => {
  const server = await startOwnEventStore();
  cleanUps.push(() => server.stop());
  const history = new Map<string, string[]>();
  for (let kill = 0; kill < KILLS; kill++) {
    const client = EventStoreDBClient.connectionString(server.url);
    await client.appendToStream('warm-up', jsonEvent({ type: 'WarmedUp', data: {} }));
    const writers = Array.from({ length: WRITERS }, (_, n) => ({
      stream: `kill${kill}-${n}`,
      ids: [] as string[],
    }));
    const writing = writers.map((each) => writeUntilDead(client, each));
    // After 2,000 events the server has written several groups and stored some of them in its database.
    while (writers.reduce((sum, { ids }) => sum + ids.length, 0) < 2_000) await sleep(5);
    await server.kill();
    await Promise.all(writing);
    await client.dispose();
    await server.restart();
    const reader = EventStoreDBClient.connectionString(server.url);
    for (const { stream, ids } of writers) {
      const found = await idsOf(reader, stream);
      expect(found.slice(0, ids.length)).toStrictEqual(ids);
      // The last append may have been written, although the server died before acknowledging it.
      expect(found.length).toBeLessThanOrEqual(ids.length + 1);
      history.set(stream, found);
    }
    const positions: bigint[] = [];
    for await (const { event } of reader.readAll()) positions.push(event!.position.commit);
    expect(positions).toStrictEqual(positions.map((_, index) => BigInt(index + 1)));
    await reader.dispose();
  }
  const reader = EventStoreDBClient.connectionString(server.url);
  for (const [stream, ids] of history) expect(await idsOf(reader, stream)).toStrictEqual(ids);
  await reader.dispose();
});

/** Mounts a small tmpfs and returns a function that unmounts it; undefined if this user cannot mount. */
function smallDisk(path: string, megabytes: number): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  return () => execFileSync('umount', ['-l', path]);
}

const disk = temporaryFolder('full-disk');
const unmount = smallDisk(disk.path, 40);
afterAll(() => {
  unmount?.();
  disk.remove();
});
const testOnDisk = unmount ? test : test.skip;

testOnDisk(
  'A full disk is reported and loses no acknowledged event, and appends succeed when there is room again',
  async () => {
    const start = (port: number) =>
      startEventStoreChild(join(disk.path, 'event-store'), port, () => undefined);
    const server = await Killable.start(
      () => start(0),
      (first) => () => start(first.port),
    );
    cleanUps.push(() => server.stop());
    const { url } = server.running;
    let client = EventStoreDBClient.connectionString(url);
    const appended = async () => {
      const event = jsonEvent({ type: 'Filled', data: { text: 'x'.repeat(400_000) } });
      await client.appendToStream('filled', event);
      return event.id;
    };
    const acknowledged: string[] = [];
    const untilFull = async () => {
      for (;;) acknowledged.push(await appended());
    };
    await expect(untilFull()).rejects.toThrow(/RESOURCE_EXHAUSTED/);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(await idsOf(client, 'filled')).toStrictEqual(acknowledged);
    await server.kill();
    await client.dispose();
    await server.restart();
    client = EventStoreDBClient.connectionString(url);
    expect(await idsOf(client, 'filled')).toStrictEqual(acknowledged);
    execFileSync('mount', ['-o', 'remount,size=120m', disk.path]);
    for (let id: string | undefined; id === undefined; await sleep(100)) {
      id = await appended().catch(() => undefined);
      if (id !== undefined) acknowledged.push(id);
    }
    expect(await idsOf(client, 'filled')).toStrictEqual(acknowledged);
    await client.dispose();
  },
);
