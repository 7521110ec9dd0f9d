import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import {
  type AllStreamResolvedEvent,
  type AppendToStreamOptions,
  eventTypeFilter,
  EventStoreDBClient,
  excludeSystemEvents,
  type Filter,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  binaryEvent,
  streamNameFilter,
} from '@eventstore/db-client';
import { startOwnEventStore, type TestServer } from '../support/servers.js';
import { ensure } from '#test/support/ensure.js';

let server: TestServer;
let client: EventStoreDBClient;

beforeAll(async () => {
  server = await startOwnEventStore();
  client = EventStoreDBClient.connectionString(server.url);
  // A single append goes first, since the first burst of appends on a new connection may hang without
  // it.
  await client.appendToStream(newStream(), happened());
});

afterAll(async () => {
  await client.dispose();
  await server.stop();
});

const newStream = (category = 'thing'): string => `${category}-${randomUUID()}`;
const happened = (n = 0, id: string = randomUUID()) =>
  jsonEvent({ id, type: 'Happened', data: { n }, metadata: { by: 'test' } });
const many = (count: number) => Array.from({ length: count }, (_, n) => happened(n));

/** Credentials for a single call make the client use Append instead of BatchAppend. */
const append = {
  throughAppend: { credentials: { username: 'a', password: 'b' } },
  throughBatch: {},
};

async function numbersOf(stream: string, options = {}): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { event } of client.readStream(stream, options)) {
    numbers.push(Number(event!.revision));
  }
  return numbers;
}

for (const [way, extra] of Object.entries(append)) {
  const put = (
    stream: string,
    events: Parameters<typeof client.appendToStream>[1],
    options: AppendToStreamOptions = {},
  ) => client.appendToStream(stream, events, { ...options, ...extra });

  test(`${way}: an append returns its last revision, and the commit position with which its event is read`, async () => {
    const stream = newStream();
    const { nextExpectedRevision, position, success } = await put(stream, many(3));
    expect(success).toBe(true);
    expect(nextExpectedRevision).toBe(2n);
    const read = [];
    for await (const { event } of client.readStream(stream)) read.push(event!);
    expect(
      read.map((event) => [event.revision, event.type, event.data, event.metadata, event.isJson]),
    ).toStrictEqual([0, 1, 2].map((n) => [BigInt(n), 'Happened', { n }, { by: 'test' }, true]));
    const last = read.at(-1)! as unknown as { position: { commit: bigint; prepare: bigint } };
    expect(last.position).toStrictEqual(position);
    expect(position!.commit).toBe(position!.prepare);
    expect(Math.abs(Date.now() - read[0]!.created.getTime())).toBeLessThan(60_000);
    expect(read[0]!.streamId).toBe(stream);
  });

  test(`${way}: an append with a wrong expected revision is refused with the stream's current revision`, async () => {
    const stream = newStream();
    await put(stream, many(2));
    for (const expectedRevision of ['no_stream', 0n, 7n] as const) {
      await expect(put(stream, happened(), { expectedRevision })).rejects.toMatchObject({
        type: 'wrong-expected-version',
        streamName: stream,
        expectedVersion: expectedRevision,
        actualVersion: 1n,
      });
    }
    expect(await numbersOf(stream)).toStrictEqual([0, 1]);
  });

  test(`${way}: an append that expects an existing stream is refused if the stream does not exist, and the refusal reports no_stream`, async () => {
    const stream = newStream();
    for (const expectedRevision of ['stream_exists', 3n] as const) {
      await expect(put(stream, happened(), { expectedRevision })).rejects.toMatchObject({
        type: 'wrong-expected-version',
        expectedVersion: expectedRevision,
        actualVersion: 'no_stream',
      });
    }
  });

  test(`${way}: the same events at the same expected revision are acknowledged again and written once`, async () => {
    const stream = newStream();
    const events = many(3);
    const first = await put(stream, events, { expectedRevision: 'no_stream' });
    await put(stream, happened(), { expectedRevision: 2n });
    expect(await put(stream, events, { expectedRevision: 'no_stream' })).toStrictEqual(first);
    expect(await numbersOf(stream)).toStrictEqual([0, 1, 2, 3]);
  });

  test(`${way}: the same events without an expected revision are acknowledged again and written once`, async () => {
    const stream = newStream();
    const events = many(2);
    const first = await put(stream, events, { expectedRevision: 'any' });
    await put(stream, happened());
    expect(await put(stream, events, { expectedRevision: 'any' })).toStrictEqual(first);
    expect(await numbersOf(stream)).toStrictEqual([0, 1, 2]);
  });

  test(`${way}: a retry is refused if only a part of its events was written`, async () => {
    const stream = newStream();
    const [first, second, third] = many(3);
    await put(stream, [first!, second!], { expectedRevision: 'no_stream' });
    await expect(
      put(stream, [first!, second!, third!], { expectedRevision: 'no_stream' }),
    ).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
    await expect(put(stream, [first!, third!], { expectedRevision: 'any' })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
  });

  test(`${way}: an append that expects the last revision writes a new event, even if its event id is already in use`, async () => {
    const stream = newStream();
    const event = happened();
    await put(stream, event, { expectedRevision: 'no_stream' });
    await put(stream, event, { expectedRevision: 0n });
    expect(await numbersOf(stream)).toStrictEqual([0, 1]);
  });

  test(`${way}: an append above 1 MiB is refused completely, and one just below is written`, async () => {
    const stream = newStream();
    const half = () => binaryEvent({ type: 'Blob', data: Buffer.alloc(512 * 1024 - 8) });
    await expect(put(stream, [half(), half(), half()])).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1024 * 1024,
    });
    await put(stream, [half(), half()], { expectedRevision: 'no_stream' });
    expect(await numbersOf(stream)).toStrictEqual([0, 1]);
  });

  test(`${way}: a tombstoned stream takes no append`, async () => {
    const stream = newStream();
    await put(stream, happened());
    await client.tombstoneStream(stream);
    await expect(put(stream, happened())).rejects.toMatchObject({
      type: 'stream-deleted',
      streamName: stream,
    });
  });
}

test('A read of a missing stream fails with stream-not-found', async () => {
  const stream = newStream();
  await expect(numbersOf(stream)).rejects.toMatchObject({
    type: 'stream-not-found',
    streamName: stream,
  });
});

test('Binary data and metadata are read as bytes', async () => {
  const stream = newStream();
  const data = Buffer.from([0, 255, 1, 128]);
  const metadata = Buffer.from([9, 0, 200]);
  await client.appendToStream(
    stream,
    binaryEvent({ type: 'Blob', data, metadata: new Uint8Array(metadata) }),
  );
  for await (const { event } of client.readStream(stream)) {
    ensure(event!.isJson === false);
    expect(Buffer.from(event!.data)).toStrictEqual(data);
    expect(Buffer.from(event!.metadata as Uint8Array)).toStrictEqual(metadata);
  }
});

test('Names and types may hold any Unicode text', async () => {
  const stream = newStream('größe-東京-🌍');
  await client.appendToStream(stream, jsonEvent({ type: 'Größe🌍', data: { text: '東京' } }));
  for await (const { event } of client.readStream(stream)) {
    expect([event!.streamId, event!.type, event!.data]).toStrictEqual([
      stream,
      'Größe🌍',
      { text: '東京' },
    ]);
  }
  await client.tombstoneStream(stream);
  await expect(numbersOf(stream)).rejects.toMatchObject({ type: 'stream-deleted' });
});

test('A stream is read in pages, forwards and backwards', async () => {
  const stream = newStream();
  await client.appendToStream(stream, many(1200));
  const range = (from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + Math.sign(to - from) * i);
  const forwards = (fromRevision: bigint | 'start', maxCount: number) =>
    numbersOf(stream, { fromRevision, maxCount });
  const backwards = (fromRevision: bigint | 'end', maxCount: number) =>
    numbersOf(stream, { direction: 'backwards', fromRevision, maxCount });
  expect(await forwards('start', 500)).toStrictEqual(range(0, 499));
  expect(await forwards(500n, 500)).toStrictEqual(range(500, 999));
  expect(await forwards(1000n, 500)).toStrictEqual(range(1000, 1199));
  expect(await forwards(1200n, 500)).toStrictEqual([]);
  expect(await backwards('end', 500)).toStrictEqual(range(1199, 700));
  expect(await backwards(699n, 800)).toStrictEqual(range(699, 0));
  expect(await backwards(5000n, 1)).toStrictEqual([1199]);
  expect(await backwards('end', 1)).toStrictEqual([1199]);
});

test('A forward read of $all includes the event at its start position, and a backward read does not', async () => {
  const stream = newStream();
  const { position } = await client.appendToStream(stream, many(3));
  const all: AllStreamResolvedEvent[] = [];
  for await (const event of client.readAll()) all.push(event);
  const positions = all.map(({ event }) => event!.position.commit);
  expect(positions).toStrictEqual([...positions].sort((a, b) => Number(a - b)));
  expect(new Set(positions).size).toBe(positions.length);
  const read = async (options: object) => {
    const found: bigint[] = [];
    for await (const { event } of client.readAll(options)) found.push(event!.position.commit);
    return found;
  };
  const at = positions.at(-2)!;
  expect(positions.at(-1)).toBe(position!.commit);
  const fromPosition = { commit: at, prepare: at };
  expect(await read({ fromPosition })).toStrictEqual(positions.slice(-2));
  expect(await read({ direction: 'backwards', fromPosition })).toStrictEqual(
    positions.slice(0, -2).reverse(),
  );
  expect(await read({ direction: 'backwards', fromPosition: 'end', maxCount: 1 })).toStrictEqual([
    position!.commit,
  ]);
});

interface Seen {
  readonly revisions: number[];
  readonly checkpoints: bigint[];
  caughtUpAfter: number;
}

/** Subscribes until `enough` returns true, then unsubscribes. */
async function follow(
  subscribe: (onCheckpoint: (position: bigint) => void) => ReturnType<typeof client.subscribeToAll>,
  enough: (seen: Seen) => boolean,
  onCaughtUp: () => Promise<void> = async () => undefined,
): Promise<Seen> {
  const seen: Seen = { revisions: [], checkpoints: [], caughtUpAfter: -1 };
  const subscription = subscribe((position) => seen.checkpoints.push(position));
  await new Promise<void>((resolve, reject) => {
    const check = () => enough(seen) && resolve();
    subscription.on('data', ({ event }) => {
      seen.revisions.push(Number(event!.revision));
      check();
    });
    subscription.on('caughtUp', () => {
      seen.caughtUpAfter = seen.revisions.length;
      onCaughtUp().then(check, reject);
    });
    subscription.on('error', reject);
  });
  await subscription.unsubscribe();
  return seen;
}

test('A subscription catches up, reports this, and continues with new events without a gap', async () => {
  const stream = newStream('followed');
  await client.appendToStream(stream, many(700));
  const seen = await follow(
    () => client.subscribeToAll({ filter: streamNameFilter({ prefixes: [stream] }) }),
    ({ revisions }) => revisions.length === 720,
    async () => {
      for (let n = 0; n < 20; n++) await client.appendToStream(stream, happened(n));
    },
  );
  expect(seen.revisions).toStrictEqual(Array.from({ length: 720 }, (_, n) => n));
  expect(seen.caughtUpAfter).toBe(700);
});

test('A subscription to a stream starts after the revision that the client gives', async () => {
  const stream = newStream();
  await client.appendToStream(stream, many(5));
  const seen = await follow(
    () => client.subscribeToStream(stream, { fromRevision: 2n }) as never,
    ({ revisions }) => revisions.includes(5),
    async () => void (await client.appendToStream(stream, happened())),
  );
  expect(seen.revisions).toStrictEqual([3, 4, 5]);
});

test('A subscription to a stream that does not exist yet gets its first event', async () => {
  const stream = newStream();
  const seen = await follow(
    () => client.subscribeToStream(stream) as never,
    ({ revisions }) => revisions.length === 1,
    async () => void (await client.appendToStream(stream, happened())),
  );
  expect(seen.revisions).toStrictEqual([0]);
});

test('Filters by stream regex, event type prefix and event type regex let only matching events pass', async () => {
  const [one, other] = [newStream('filtered-one'), newStream('filtered-two')];
  const type = `Type${randomUUID()}`;
  await client.appendToStream(one, [happened(0), jsonEvent({ type, data: {} })]);
  const { position } = await client.appendToStream(other, jsonEvent({ type, data: {} }));
  const through = async (filter: Filter) => {
    const subscription = client.subscribeToAll({ filter });
    const found: string[] = [];
    await new Promise<void>((resolve, reject) => {
      subscription.on('data', ({ event }) => found.push(`${event!.streamId} ${event!.revision}`));
      subscription.on('caughtUp', () => resolve());
      subscription.on('error', reject);
    });
    await subscription.unsubscribe();
    return found;
  };
  expect(position).toBeDefined();
  expect(await through(streamNameFilter({ regex: `^${one}$` }))).toStrictEqual([
    `${one} 0`,
    `${one} 1`,
  ]);
  expect(await through(eventTypeFilter({ prefixes: [type] }))).toStrictEqual([
    `${one} 1`,
    `${other} 0`,
  ]);
  expect(await through(eventTypeFilter({ regex: `${type}$` }))).toStrictEqual([
    `${one} 1`,
    `${other} 0`,
  ]);
});

test('A subscription whose filter matches no event still reports checkpoints, and these never go back', async () => {
  await client.appendToStream(newStream(), many(300));
  const { position } = await client.appendToStream(newStream(), happened());
  const seen = await follow(
    (onCheckpoint) =>
      client.subscribeToAll({
        filter: streamNameFilter({
          prefixes: ['nothing-is-called-so'],
          maxSearchWindow: 10,
          checkpointInterval: 2,
          checkpointReached: async (_, { commit }) => onCheckpoint(commit),
        }),
      }),
    ({ checkpoints }) => checkpoints.at(-1) === position!.commit,
  );
  expect(seen.checkpoints.length).toBeGreaterThan(10);
  expect(seen.checkpoints).toStrictEqual([...seen.checkpoints].sort((a, b) => Number(a - b)));
});

test('The filter excludeSystemEvents leaves out system events', async () => {
  const stream = newStream();
  await client.setStreamMetadata(stream, { owner: 'test' });
  const { position } = await client.appendToStream(stream, happened());
  const names = new Set<string>();
  const subscription = client.subscribeToAll({ filter: excludeSystemEvents() });
  for await (const { event } of subscription) {
    names.add(event!.streamId);
    if (event!.position.commit === position!.commit) break;
  }
  expect(names.has(stream)).toBe(true);
  expect([...names].every((name) => !name.startsWith('$'))).toBe(true);
});

test('A deleted stream is not found, and the next append to it continues with the next event number', async () => {
  const stream = newStream();
  await client.appendToStream(stream, many(3));
  await expect(client.deleteStream(stream, { expectedRevision: 0n })).rejects.toMatchObject({
    type: 'wrong-expected-version',
    streamName: stream,
    expectedVersion: 0n,
    actualVersion: 2n,
  });
  const { position } = await client.deleteStream(stream, { expectedRevision: 2n });
  expect(position!.commit).toBeGreaterThan(0n);
  await expect(numbersOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
  await client.appendToStream(stream, many(2), { expectedRevision: 'no_stream' });
  expect(await numbersOf(stream)).toStrictEqual([3, 4]);
});

test('A read of a tombstoned stream fails with stream-deleted', async () => {
  const stream = newStream();
  await client.appendToStream(stream, many(2));
  await expect(client.tombstoneStream(stream, { expectedRevision: 5n })).rejects.toMatchObject({
    type: 'wrong-expected-version',
    actualVersion: 1n,
  });
  await client.tombstoneStream(stream, { expectedRevision: 1n });
  await expect(numbersOf(stream)).rejects.toMatchObject({
    type: 'stream-deleted',
    streamName: stream,
  });
});

test('Stream metadata is returned, and the node refuses settings that are not natural numbers', async () => {
  const stream = newStream();
  await client.appendToStream(stream, many(5));
  await client.setStreamMetadata(stream, { truncateBefore: 2, owner: 'test' });
  expect((await client.getStreamMetadata(stream)).metadata).toStrictEqual({
    truncateBefore: 2,
    owner: 'test',
  });
  expect(await numbersOf(stream)).toStrictEqual([2, 3, 4]);
  await client.setStreamMetadata(stream, { maxCount: 2 });
  expect(await numbersOf(stream)).toStrictEqual([3, 4]);
  await client.appendToStream(stream, happened());
  expect(await numbersOf(stream, { direction: 'backwards', fromRevision: 'end' })).toStrictEqual([
    5, 4,
  ]);
  for (const data of [{ $maxCount: -1 }, { $tb: 'two' }, { $maxAge: 0.5 }]) {
    await expect(
      client.appendToStream(`$$${stream}`, jsonEvent({ type: '$metadata', data })),
    ).rejects.toThrow(/must be a natural number/);
  }
  expect((await client.getStreamMetadata(stream)).metadata).toStrictEqual({ maxCount: 2 });
});

test('The node refuses services that it does not have with UNIMPLEMENTED and a sentence that says so', async () => {
  const settings = persistentSubscriptionToStreamSettingsFromDefaults();
  const refusedWith = (details: RegExp) => ({
    code: 12,
    message: expect.stringMatching(details),
  });
  await expect(
    client.createPersistentSubscriptionToStream(newStream(), 'group', settings),
  ).rejects.toMatchObject(
    refusedWith(/The embedded event store has no persistent subscriptions: subscribe to a stream/),
  );
  await expect(client.listProjections()).rejects.toMatchObject(
    refusedWith(/The embedded event store has no projections: subscribe to \$all/),
  );
});

test('A client that discovers the leader by gossip finds the node, under each name by which it can be reached', async () => {
  const { port, search } = new URL(server.url);
  for (const host of ['127.0.0.1', 'localhost']) {
    const discovering = EventStoreDBClient.connectionString(
      `esdb+discover://${host}:${port}${search}`,
    );
    const stream = newStream();
    await discovering.appendToStream(stream, happened());
    await discovering.dispose();
    expect(await numbersOf(stream)).toStrictEqual([0]);
  }
});

test('If two hundred streams are written at once, each stream holds all of its own events', async () => {
  const streams = Array.from({ length: 200 }, () => newStream());
  await Promise.all(
    streams.map(async (stream) => {
      for (let n = 0; n < 5; n++) {
        const expectedRevision = n === 0 ? 'no_stream' : BigInt(n - 1);
        await client.appendToStream(stream, happened(n), { expectedRevision });
      }
    }),
  );
  for (const stream of streams) expect(await numbersOf(stream)).toStrictEqual([0, 1, 2, 3, 4]);
});

test('Of a hundred appends at one revision exactly one wins', async () => {
  const stream = newStream();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () =>
      client.appendToStream(stream, happened(), { expectedRevision: 'no_stream' }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await numbersOf(stream)).toStrictEqual([0]);
});

test('The generated service definitions name the methods that the node serves', () => {
  const require = createRequire(import.meta.url);
  const { StreamsService } = require('@eventstore/db-client/generated/streams_grpc_pb') as {
    StreamsService: Record<string, { path: string }>;
  };
  expect(Object.values(StreamsService).map(({ path }) => path)).toStrictEqual(
    ['Read', 'Append', 'Delete', 'Tombstone', 'BatchAppend'].map(
      (method) => `/event_store.client.streams.Streams/${method}`,
    ),
  );
});
