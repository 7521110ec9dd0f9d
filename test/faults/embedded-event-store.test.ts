import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startTestEventStore } from '../support/servers.js';

const WRITERS = 64;
const KILLS = 3;

interface Acknowledged {
  readonly stream: string;
  readonly ids: string[];
}

/** Appends until the server dies; what came back is what was acknowledged. */
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

test('kill -9 amid 64 writers: every acknowledged event is there exactly once, in order', async () => {
  const server = await startTestEventStore();
  after(() => server.stop());
  const history = new Map<string, string[]>();
  for (let kill = 0; kill < KILLS; kill++) {
    const client = EventStoreDBClient.connectionString(server.url);
    await client.appendToStream('warm-up', jsonEvent({ type: 'WarmedUp', data: {} }));
    const writers = Array.from({ length: WRITERS }, (_, n) => ({
      stream: `kill${kill}-${n}`,
      ids: [] as string[],
    }));
    const writing = writers.map((each) => writeUntilDead(client, each));
    // Long enough for several groups, and for some to have moved into the database.
    while (writers.reduce((sum, { ids }) => sum + ids.length, 0) < 2_000) await sleep(5);
    await server.kill();
    await Promise.all(writing);
    await client.dispose();
    await server.restart();
    const reader = EventStoreDBClient.connectionString(server.url);
    for (const { stream, ids } of writers) {
      const found = await idsOf(reader, stream);
      assert.deepEqual(found.slice(0, ids.length), ids);
      // At most the one append that was under way when the server died.
      assert.ok(found.length <= ids.length + 1, `${found.length} of ${ids.length} in ${stream}`);
      history.set(stream, found);
    }
    const positions: bigint[] = [];
    for await (const { event } of reader.readAll()) positions.push(event!.position.commit);
    assert.deepEqual(
      positions,
      positions.map((_, index) => BigInt(index + 1)),
    );
    await reader.dispose();
  }
  const reader = EventStoreDBClient.connectionString(server.url);
  for (const [stream, ids] of history) assert.deepEqual(await idsOf(reader, stream), ids);
  await reader.dispose();
});
