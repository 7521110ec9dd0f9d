import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  binaryEvent,
  EventStoreDBClient,
  jsonEvent,
  streamNameFilter,
} from '@eventstore/db-client';
import { startOwnEventStore, type OwnEventStore } from '#test/support/servers.js';

const INVALID_ARGUMENT = 3;
const newStream = (): string => `attacked-${randomUUID()}`;
const happened = () => jsonEvent({ type: 'Happened', data: {} });
/** Credentials for a single call make the client use Append instead of BatchAppend. */
const throughAppend = { credentials: { username: 'a', password: 'b' } };

describe('An attacker who sends requests to the embedded node', () => {
  let server: OwnEventStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    server = await startOwnEventStore();
    client = EventStoreDBClient.connectionString(server.url);
    await client.appendToStream(newStream(), happened());
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  /** Fails unless the node that was running before still answers. */
  const stillServes = async (): Promise<void> => {
    const stream = newStream();
    await client.appendToStream(stream, happened());
    const found: string[] = [];
    for await (const { event } of client.readStream(stream)) found.push(event!.streamId);
    expect(found).toStrictEqual([stream]);
  };

  const restart = async (): Promise<void> => {
    await client.dispose();
    await server.kill();
    await server.restart();
    client = EventStoreDBClient.connectionString(server.url);
    await stillServes();
  };

  const readFiltered = (regex: string): Promise<number> =>
    new Promise((resolve, reject) => {
      let seen = 0;
      const subscription = client.subscribeToAll({ filter: streamNameFilter({ regex }) });
      subscription.on('data', () => (seen += 1));
      subscription.on('caughtUp', () => void subscription.unsubscribe().then(() => resolve(seen)));
      subscription.on('error', reject);
    });

  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    'A batch append': () => client.appendToStream('$$', happened()),
    'An append': () => client.appendToStream('$$', happened(), throughAppend),
    'A metadata write': () => client.setStreamMetadata('', { owner: 'test' }),
    'A delete': () => client.deleteStream('$$'),
    'A tombstone': () => client.tombstoneStream('$$'),
  };
  for (const [kind, write] of Object.entries(writes)) {
    it(`${kind} to the stream $$, which is the metadata of no stream, is refused, and the node serves the next request`, async () => {
      await expect(write()).rejects.toThrow(/\$\$ is not a stream/);
      await stillServes();
    });
  }

  it('A refused append to $$ does not end the other appends of the same call', async () => {
    const stream = newStream();
    const outcomes = await Promise.allSettled([
      client.appendToStream('$$', happened()),
      client.appendToStream(stream, happened()),
    ]);
    expect(outcomes.map(({ status }) => status)).toStrictEqual(['rejected', 'fulfilled']);
  });

  const nestedMetadata = (depth: number) =>
    binaryEvent({
      type: '$metadata',
      data: Buffer.from(`{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    });

  it('A stream whose metadata is nested too deeply to be written again can be deleted and recreated, and the node starts again', async () => {
    const stream = newStream();
    await client.appendToStream(stream, happened());
    await expect(client.appendToStream(`$$${stream}`, nestedMetadata(200_000))).rejects.toThrow(
      /nested/,
    );
    await client.appendToStream(`$$${stream}`, nestedMetadata(50));
    await client.deleteStream(stream);
    await client.appendToStream(stream, happened());
    await stillServes();
    await restart();
  });

  it('A burst of large metadata, each of which recreates a deleted stream and is written twice, is stored completely', async () => {
    const owner = 'o'.repeat(900_000);
    const streams = Array.from({ length: 12 }, () => newStream());
    await Promise.all(streams.map((stream) => client.appendToStream(stream, happened())));
    await Promise.all(streams.map((stream) => client.deleteStream(stream)));
    await Promise.all(streams.map((stream) => client.setStreamMetadata(stream, { owner })));
    await restart();
    for (const stream of streams) {
      expect((await client.getStreamMetadata(stream)).metadata).toStrictEqual({
        ...{ owner, truncateBefore: 1 },
      });
    }
  });

  it('A filter that needs exponential time in a backtracking matcher matches in linear time', async () => {
    const letters = 'a'.repeat(1_000);
    await client.appendToStream(`${letters}!`, happened());
    await client.appendToStream(letters, happened());
    expect(await readFiltered('^(a+)+$')).toBe(1);
    await stillServes();
  });

  const invalid: Readonly<Record<string, string>> = {
    'with an open bracket': '(',
    'with a look-ahead, which linear time cannot match,': 'a(?=b)',
    'with a back-reference, which linear time cannot match,': '(a)\\1',
    'that is longer than 1,024 characters': 'a'.repeat(1_025),
    'that becomes a very large program': '\\pL{1000}'.repeat(50),
  };
  for (const [kind, regex] of Object.entries(invalid)) {
    it(`A filter ${kind} is refused with INVALID_ARGUMENT`, async () => {
      await expect(readFiltered(regex)).rejects.toMatchObject({ code: INVALID_ARGUMENT });
      await stillServes();
    });
  }
});
