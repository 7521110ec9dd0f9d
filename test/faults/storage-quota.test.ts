import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { startOwnEventStore, type OwnEventStore } from '#test/support/servers.js';

const MIB = 1024 * 1024;
const QUOTA = 2 * MIB;
const TEXT = 'x'.repeat(32 * 1024);

describe('The embedded node under a quota (SPEC F2)', () => {
  let server: OwnEventStore;
  let client: EventStoreDBClient;
  const taken: string[] = [];
  const first = jsonEvent({ type: 'Happened', data: { text: TEXT } });
  const appendFirst = () => client.appendToStream('first', first, { expectedRevision: NO_STREAM });

  beforeAll(async () => {
    server = await startOwnEventStore();
    await restartWith(QUOTA);
    await appendFirst();
  });
  afterAll(async () => {
    await client?.dispose();
    await server?.stop();
  });

  async function restartWith(quota: number | undefined): Promise<void> {
    await client?.dispose();
    await server.kill();
    server.limit(quota);
    await server.restart();
    client = EventStoreDBClient.connectionString(server.url);
  }

  const append = async (): Promise<void> => {
    const event = jsonEvent({ type: 'Happened', data: { text: TEXT } });
    await client.appendToStream('filling', event);
    taken.push(event.id);
  };

  async function read(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { event } of client.readStream('filling')) ids.push(event?.id ?? '');
    return ids;
  }

  it('an append that exceeds the quota is refused, and every acknowledged event is kept', async () => {
    await expect(
      (async () => {
        for (let count = 0; count < (4 * QUOTA) / TEXT.length; count += 1) await append();
      })(),
    ).rejects.toThrow(/RESOURCE_EXHAUSTED/);
    expect(taken.length).toBeGreaterThan(10);
    expect(await read()).toStrictEqual(taken);
  });

  it('a repeated append is acknowledged again, because it needs no room', async () => {
    const { success, nextExpectedRevision } = await appendFirst();
    expect([success, nextExpectedRevision]).toStrictEqual([true, 0n]);
  });

  it('the node is still full after a restart, and accepts appends again without the quota', async () => {
    await restartWith(QUOTA);
    await expect(append()).rejects.toThrow(/RESOURCE_EXHAUSTED/);
    await restartWith(undefined);
    await append();
    expect(await read()).toStrictEqual(taken);
  });
});
