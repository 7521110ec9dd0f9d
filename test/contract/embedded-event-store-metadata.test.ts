import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { parseRules, recreation } from '#embedded/event-store-node/storage/stream-metadata.js';
import { startOwnEventStore, type OwnEventStore } from '#test/support/servers.js';

let server: OwnEventStore;
let client: EventStoreDBClient;

async function connect(): Promise<void> {
  client = EventStoreDBClient.connectionString(server.url);
  // A single append goes first, since the first burst of appends on a new connection may hang without
  // it.
  await client.appendToStream(newStream(), many(1));
}

beforeAll(async () => {
  server = await startOwnEventStore();
  await connect();
});
afterAll(async () => {
  await client.dispose();
  await server.stop();
});

/** Makes the node read the state of all streams from its files. */
async function restart(): Promise<void> {
  await client.dispose();
  await server.kill();
  await server.restart();
  await connect();
}

const newStream = (): string => `ruled-${randomUUID()}`;
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => jsonEvent({ type: 'Happened', data: { n } }));
const rawMetadata = (json: string) => ({
  ...jsonEvent({ type: '$metadata', data: {} }),
  data: JSON.parse(json) as Record<string, never>,
});

async function revisionsOf(stream: string, options = {}): Promise<number[]> {
  const revisions: number[] = [];
  for await (const { event } of client.readStream(stream, options)) {
    revisions.push(Number(event!.revision));
  }
  return revisions;
}

/** Writes events until the stream has the first `count`. */
async function streamOf(count: number): Promise<string> {
  const stream = newStream();
  await client.appendToStream(stream, many(count), { expectedRevision: 'no_stream' });
  return stream;
}

async function deletedStreamOf(count: number): Promise<string> {
  const stream = await streamOf(count);
  await client.deleteStream(stream);
  return stream;
}

const metadataOf = async (stream: string) => (await client.getStreamMetadata(stream)).metadata;

/** Follows a stream until it has caught up, then runs `act`, and returns what arrived before and after. */
async function follow(
  stream: string,
  act: () => Promise<unknown>,
  isDone: (types: readonly string[]) => boolean,
): Promise<{ before: number[]; after: string[]; error: unknown }> {
  const before: number[] = [];
  const after: string[] = [];
  let isLive = false;
  const subscription = client.subscribeToStream(stream);
  const error = await new Promise<unknown>((resolve, reject) => {
    subscription.on('data', ({ event }) => {
      if (!isLive) return before.push(Number(event!.revision));
      after.push(event!.type === 'Happened' ? `Happened ${event!.revision}` : event!.type);
      return isDone(after) && resolve(undefined);
    });
    subscription.on('caughtUp', () => {
      isLive = true;
      act().catch(reject);
    });
    subscription.on('error', resolve);
  });
  await subscription.unsubscribe().catch(() => undefined);
  return { before, after, error };
}

describe('Settings that hide events', () => {
  it('A $tb beyond the last event hides all events from reads in both directions, also after a restart', async () => {
    const stream = await streamOf(3);
    await client.setStreamMetadata(stream, { truncateBefore: 100 });
    const ends = [{}, { direction: 'backwards', fromRevision: 'end' }, { fromRevision: 1n }];
    for (const options of ends) expect(await revisionsOf(stream, options)).toStrictEqual([]);
    await restart();
    for (const options of ends) expect(await revisionsOf(stream, options)).toStrictEqual([]);
  });

  it('A $tb beyond the last event hides the old events from a subscription, which gets each new event', async () => {
    const stream = await streamOf(3);
    await client.setStreamMetadata(stream, { truncateBefore: 100 });
    const seen = await follow(
      stream,
      () => client.appendToStream(stream, many(2)),
      (types) => types.length === 2,
    );
    expect(seen.before).toStrictEqual([]);
    expect(seen.after).toStrictEqual(['Happened 3', 'Happened 4']);
  });

  it('A read leaves out the events that are older than $maxAge, also after a restart', async () => {
    const stream = await streamOf(2);
    await client.setStreamMetadata(stream, { maxAge: 3_600 });
    expect(await revisionsOf(stream)).toStrictEqual([0, 1]);
    await restart();
    expect(await revisionsOf(stream)).toStrictEqual([0, 1]);
    await client.setStreamMetadata(stream, { maxAge: 0 });
    expect(await revisionsOf(stream)).toStrictEqual([]);
    await restart();
    expect(await revisionsOf(stream)).toStrictEqual([]);
  });

  it('$acl and $cacheControl are stored and returned, also after a restart', async () => {
    const stream = await streamOf(1);
    const metadata = {
      ...{ maxAge: 2, cacheControl: 15, truncateBefore: 1, maxCount: 12, kitten: '😾' },
      acl: { readRoles: ['admin'], metaWriteRoles: ['admin', '$all'] },
    };
    await client.setStreamMetadata(stream, metadata);
    expect(await metadataOf(stream)).toStrictEqual(metadata);
    await restart();
    expect(await metadataOf(stream)).toStrictEqual(metadata);
  });

  it('Of the metadata of a stream only the newest can be read, in both directions, also after a restart', async () => {
    const stream = await streamOf(1);
    for (const maxCount of [3, 4, 5]) await client.setStreamMetadata(stream, { maxCount });
    const backwards = { direction: 'backwards', fromRevision: 'end' };
    const newest = async () => [
      await revisionsOf(`$$${stream}`),
      await revisionsOf(`$$${stream}`, backwards),
    ];
    expect(await newest()).toStrictEqual([[2], [2]]);
    await restart();
    expect(await newest()).toStrictEqual([[2], [2]]);
    await client.setStreamMetadata(`$$${stream}`, { maxCount: 3, truncateBefore: 9 });
    expect(await newest()).toStrictEqual([[2], [2]]);
  });
});

describe('Soft deletes', () => {
  it('A stream that has neither events nor metadata cannot be deleted', async () => {
    for (const expectedRevision of ['any', 'no_stream', 3n] as const) {
      const stream = newStream();
      await expect(client.deleteStream(stream, { expectedRevision })).rejects.toMatchObject({
        type: 'wrong-expected-version',
        streamName: stream,
        actualVersion: 'no_stream',
      });
      await expect(revisionsOf(`$$${stream}`)).rejects.toMatchObject({ type: 'stream-not-found' });
    }
  });

  it('A stream that has only metadata exists: it can be deleted, and takes an append that expects it', async () => {
    const [deleted, appended] = [newStream(), newStream()];
    for (const stream of [deleted, appended]) {
      await client.setStreamMetadata(stream, { cacheControl: 10 });
    }
    await client.deleteStream(deleted, { expectedRevision: 'no_stream' });
    await client.appendToStream(appended, many(1), { expectedRevision: 'stream_exists' });
    expect(await revisionsOf(appended)).toStrictEqual([0]);
  });

  it('An append that expects an existing stream is refused with stream-deleted if the stream is deleted', async () => {
    const stream = await deletedStreamOf(2);
    await expect(
      client.appendToStream(stream, many(1), { expectedRevision: 'stream_exists' }),
    ).rejects.toMatchObject({ type: 'stream-deleted', streamName: stream });
    await expect(revisionsOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('Metadata set on a deleted stream makes the stream exist again without its old events', async () => {
    const stream = await deletedStreamOf(2);
    await client.setStreamMetadata(stream, { maxCount: 100, owner: 'test' });
    const holds = async () => {
      expect(await revisionsOf(stream)).toStrictEqual([]);
      expect(await metadataOf(stream)).toStrictEqual({
        ...{ maxCount: 100, owner: 'test', truncateBefore: 2 },
      });
    };
    await holds();
    await restart();
    await holds();
    await client.appendToStream(stream, many(1), { expectedRevision: 1n });
    expect(await revisionsOf(stream)).toStrictEqual([2]);
  });

  it('Metadata with its own $tb, set on a deleted stream, shows none of the old events', async () => {
    const stream = await deletedStreamOf(2);
    await client.setStreamMetadata(stream, { truncateBefore: 0 });
    expect(await revisionsOf(stream)).toStrictEqual([]);
    expect(await metadataOf(stream)).toStrictEqual({ truncateBefore: 2 });
  });

  it('A delete drops the other metadata, and the next append recreates the stream after its own events', async () => {
    const stream = await streamOf(2);
    await client.setStreamMetadata(stream, { maxCount: 5, owner: 'test' });
    await client.deleteStream(stream);
    const { position, nextExpectedRevision } = await client.appendToStream(stream, many(2));
    expect(nextExpectedRevision).toBe(3n);
    expect(await metadataOf(stream)).toStrictEqual({ truncateBefore: 2 });
    const written: string[] = [];
    for await (const { event } of client.readAll({
      direction: 'backwards',
      fromPosition: 'end',
      maxCount: 3,
    })) {
      written.unshift(`${event!.streamId} ${event!.revision}`);
    }
    expect(written).toStrictEqual([`${stream} 2`, `${stream} 3`, `$$${stream} 2`]);
    for await (const { event } of client.readStream(stream, { fromRevision: 3n })) {
      expect(event).toMatchObject({ revision: 3n, position });
    }
  });

  it('Metadata that deletes a stream by its $tb keeps its other settings when the stream is recreated', async () => {
    const stream = await streamOf(2);
    const deleting = rawMetadata('{"owner":"test","$tb":9223372036854775807,"$maxCount":7}');
    await client.appendToStream(`$$${stream}`, deleting);
    await expect(revisionsOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    await client.appendToStream(stream, many(3), { expectedRevision: 1n });
    expect(await revisionsOf(stream)).toStrictEqual([2, 3, 4]);
    expect(await metadataOf(stream)).toStrictEqual({
      ...{ owner: 'test', truncateBefore: 2, maxCount: 7 },
    });
  });

  it('A retried append with no_stream is acknowledged again after a delete, and its events are not written twice', async () => {
    const stream = newStream();
    const events = many(2);
    const first = await client.appendToStream(stream, events, { expectedRevision: 'no_stream' });
    await client.deleteStream(stream);
    const retry = () => client.appendToStream(stream, events, { expectedRevision: 'no_stream' });
    expect(await retry()).toStrictEqual(first);
    await expect(revisionsOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    await expect(
      client.appendToStream(stream, [events[0]!, ...many(1)], { expectedRevision: 'no_stream' }),
    ).rejects.toMatchObject({ type: 'wrong-expected-version' });
  });

  it('A subscriber who follows a stream through its delete and its recreation gets each event once', async () => {
    const stream = await streamOf(2);
    const seen = await follow(
      stream,
      async () => {
        await client.deleteStream(stream);
        await client.appendToStream(stream, many(2), { expectedRevision: 'no_stream' });
      },
      (types) => types.length === 2,
    );
    expect(seen).toMatchObject({ before: [0, 1], after: ['Happened 2', 'Happened 3'] });
  });
});

describe('Tombstones', () => {
  it('The subscriber of a stream gets its tombstone, and then the subscription fails with stream-deleted', async () => {
    const stream = await streamOf(2);
    const seen = await follow(
      stream,
      () => client.tombstoneStream(stream),
      () => false,
    );
    expect(seen.before).toStrictEqual([0, 1]);
    expect(seen.after).toStrictEqual(['$streamDeleted']);
    expect(seen.error).toMatchObject({ type: 'stream-deleted', streamName: stream });
  });

  it('The subscriber of the metadata of a stream gets stream-deleted after the tombstone of the stream', async () => {
    const stream = await streamOf(1);
    const seen = await follow(
      `$$${stream}`,
      () => client.tombstoneStream(stream),
      () => false,
    );
    expect(seen.error).toMatchObject({ type: 'stream-deleted' });
  });

  it('The metadata of a tombstoned stream can be neither read nor written, also after a restart', async () => {
    const stream = await streamOf(1);
    await client.setStreamMetadata(stream, { owner: 'test' });
    await client.tombstoneStream(stream);
    const deleted = { type: 'stream-deleted' };
    const isGone = async () => {
      await expect(client.getStreamMetadata(stream)).rejects.toMatchObject(deleted);
      await expect(client.setStreamMetadata(stream, {})).rejects.toMatchObject(deleted);
      await expect(client.deleteStream(`$$${stream}`)).rejects.toMatchObject(deleted);
    };
    await isGone();
    await restart();
    await isGone();
  });
});

describe('Metadata that an earlier version stored without a limit for its depth', () => {
  const deep = Buffer.from(
    `{"$tb":9223372036854775807,"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  );

  it('Its settings still apply, so a deleted stream stays deleted', () => {
    expect(parseRules(deep, { refuse: false }).keptFrom).toBe(Infinity);
  });

  it('A recreation of the stream drops it', () => {
    expect(recreation(deep, 7).data.toString()).toBe('{"$tb":7}');
  });
});
