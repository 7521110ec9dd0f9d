import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { join } from 'node:path';
import { startEventStoreChild } from '#embedded/event-store-child.js';
import { mace } from '#test/support/cli-run.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('An attacker who can reach the port of the embedded event store', () => {
  let server: TestServer;
  let owner: EventStoreDBClient;

  beforeAll(async () => {
    server = await startOwnEventStore();
    owner = EventStoreDBClient.connectionString(server.url);
    await owner.appendToStream('private', jsonEvent({ type: 'Said', data: { words: 'secret' } }));
  });
  afterAll(async () => {
    await owner.dispose();
    await server.stop();
  });

  const strangers = ['', '&connectionName=guessed'];
  for (const name of strangers)
    it(`cannot read, append, delete or subscribe with the options “${name}”`, async () => {
      const { host } = new URL(server.url);
      const stranger = EventStoreDBClient.connectionString(`esdb://${host}?tls=false${name}`);
      const refused = expect.objectContaining({
        message: expect.stringContaining('UNAUTHENTICATED'),
      });
      const read = async (): Promise<void> => {
        for await (const _ of stranger.readStream('private')) return;
      };
      await expect(read()).rejects.toEqual(refused);
      const forged = jsonEvent({ type: 'Forged', data: {} });
      await expect(stranger.appendToStream('private', forged)).rejects.toEqual(refused);
      const options = { credentials: { username: 'admin', password: 'changeit' } };
      await expect(stranger.appendToStream('private', forged, options)).rejects.toEqual(refused);
      await expect(stranger.deleteStream('private')).rejects.toEqual(refused);
      await expect(stranger.tombstoneStream('private')).rejects.toEqual(refused);
      const followed = new Promise((_resolve, reject) => {
        stranger.subscribeToAll().on('error', reject);
      });
      await expect(followed).rejects.toEqual(refused);
      await stranger.dispose();
      const events = [];
      for await (const { event } of owner.readStream('private')) events.push(event?.type);
      expect(events).toStrictEqual(['Said']);
    });

  it('cannot read the secret from an error or from gossip', async () => {
    const { host, searchParams } = new URL(server.url);
    const secret = searchParams.get('connectionName')!;
    expect(secret.length).toBeGreaterThan(20);
    const stranger = EventStoreDBClient.connectionString(`esdb+discover://${host}?tls=false`);
    const error: unknown = await stranger.appendToStream('private', []).catch(String);
    expect(String(error)).not.toContain(secret);
    await stranger.dispose();
  });

  it('differs from the owner of the data directory, for whom mace finds the secret', async () => {
    const data = temporaryFolder('secret');
    const node = await startEventStoreChild(join(data.path, 'event-store'), 0, () => undefined);
    const command = ['verify', '--log', '--event-store', `esdb://127.0.0.1:${node.port}?tls=false`];
    const own = await mace(command, { MACE_DATA_DIR: data.path });
    expect([own.stderr, own.code]).toStrictEqual([own.stderr, 0]);
    const other = await mace(command, { MACE_DATA_DIR: join(data.path, 'elsewhere') });
    expect(other.code).toBe(2);
    await node.stop();
    data.remove();
  });
});
