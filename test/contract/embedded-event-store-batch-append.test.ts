import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, Metadata } from '@grpc/grpc-js';
import { appendRequest } from '#event-store/protocol/batch-append.js';
import { FRAME_HEADER, FrameSplitter } from '#event-store-protocol/frames.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';

let server: TestServer;
let client: EventStoreDBClient;
let raw: InstanceType<typeof streamsGrpc.StreamsClient>;

beforeAll(async () => {
  server = await startOwnEventStore();
  client = EventStoreDBClient.connectionString(server.url);
  raw = new streamsGrpc.StreamsClient(new URL(server.url).host, credentials.createInsecure());
});
afterAll(async () => {
  raw.close();
  await client.dispose();
  await server.stop();
});

/** Returns the metadata with which a client shows the node's secret. */
function signedIn(): Metadata {
  const metadata = new Metadata();
  metadata.set('connection-name', client.connectionName);
  return metadata;
}

const newStream = (): string => `batch-${randomUUID()}`;

function requestFrame(stream: string, correlation: string = randomUUID()): Buffer {
  const event = { id: randomUUID(), type: 'noted', data: {}, metadata: {} };
  return appendRequest({
    ...{ correlation, stream, expected: 'no_stream', deadline: Date.now() + 60_000 },
    events: [event as never],
  });
}

const requestTo = (stream: string): streamsPb.BatchAppendReq =>
  streamsPb.BatchAppendReq.deserializeBinary(requestFrame(stream).subarray(FRAME_HEADER));

describe('BatchAppend', () => {
  it('A client that sends its last append and half-closes the call gets the answers to all its appends', async () => {
    const call = raw.batchAppend(signedIn());
    const answers = new Set<string>();
    call.on('data', (answer: streamsPb.BatchAppendResp) => {
      expect(answer.hasSuccess()).toBe(true);
      answers.add(answer.getCorrelationId()!.getString());
    });
    const requests = Array.from({ length: 50 }, () => requestTo(newStream()));
    for (const request of requests) call.write(request);
    call.end();
    await once(call, 'end');
    expect(answers).toStrictEqual(
      new Set(requests.map((request) => request.getCorrelationId()!.getString())),
    );
  });

  it('A call that is half-closed without an append ends without an error', async () => {
    const call = raw.batchAppend(signedIn());
    call.on('data', () => undefined);
    call.end();
    await once(call, 'end');
  });

  it('An append that is both too late and too large is refused for its deadline', async () => {
    const large = binaryEvent({ type: 'Blob', data: Buffer.alloc(2 * 1024 * 1024) });
    await expect(
      client.appendToStream(newStream(), large, { deadline: -1_000 }),
    ).rejects.toMatchObject({ type: 'deadline-exceeded' });
  });

  it('A message of more than 16 MiB is refused alone, and the other appends of the call succeed', async () => {
    const stream = newStream();
    const huge = binaryEvent({ type: 'Blob', data: Buffer.alloc(30 * 1024 * 1024) });
    const [first, refused, last] = await Promise.allSettled([
      client.appendToStream(stream, jsonEvent({ type: 'Small', data: {} })),
      client.appendToStream(newStream(), huge),
      client.appendToStream(stream, jsonEvent({ type: 'Small', data: {} })),
    ]);
    expect([first.status, last.status]).toStrictEqual(['fulfilled', 'fulfilled']);
    expect(refused).toMatchObject({ reason: { type: 'maximum-append-size-exceeded' } });
  });

  it('An append whose middle message is too long gets one answer, and the next append of the call succeeds', async () => {
    const small = binaryEvent({ type: 'Blob', data: Buffer.alloc(10) });
    const huge = binaryEvent({ type: 'Blob', data: Buffer.alloc(17 * 1024 * 1024) });
    const [stream, refused] = [newStream(), newStream()];
    await expect(
      client.appendToStream(refused, [small, huge, small, small], { batchAppendSize: 1_000 }),
    ).rejects.toMatchObject({ type: 'maximum-append-size-exceeded' });
    await client.appendToStream(stream, small);
  });

  const unfinished: Readonly<Record<string, { count: number; bytes: number }>> = {
    'many small appends': { count: 1_001, bytes: 10 },
    'a few large appends': { count: 40, bytes: 1024 * 1024 },
  };
  for (const [kind, { count, bytes }] of Object.entries(unfinished))
    it(`A call that begins ${kind} and finishes none of them is ended, and nothing is appended`, async () => {
      const streams = Array.from({ length: count }, newStream);
      const call = raw.batchAppend(signedIn());
      const ended = once(call, 'error').then(([error]) => error as Error);
      call.on('data', () => undefined);
      for (const stream of streams) {
        const request = requestTo(stream).setIsFinal(false);
        request.getProposedMessagesList()[0]?.setData(Buffer.alloc(bytes));
        call.write(request);
      }
      expect((await ended).message).toMatch(/RESOURCE_EXHAUSTED: A call may have at most/);
      const read = async () => {
        for await (const _ of client.readStream(streams[0]!));
      };
      await expect(read()).rejects.toThrow(/not found/i);
    });

  /** Returns the position of the last event when the node has not written any for half a second. */
  async function positionAtRest(): Promise<bigint> {
    let last = -1n;
    for (let unchanged = 0; unchanged < 5; await delay(100)) {
      const options = { direction: 'backwards', fromPosition: 'end', maxCount: 1 } as const;
      for await (const { event } of client.readAll(options)) {
        unchanged = event!.position.commit === last ? unchanged + 1 : 0;
        last = event!.position.commit;
      }
    }
    return last;
  }

  const kinds: Readonly<Record<string, () => string>> = { written: newStream, refused: () => '$$' };
  for (const [kind, stream] of Object.entries(kinds))
    it(`A client that does not read its answers (all ${kind}) is read no further until it reads, and then gets every answer`, async () => {
      const count = 80_000;
      await client.appendToStream(newStream(), jsonEvent({ type: 'Small', data: {} }));
      const before = await positionAtRest();
      // The client's own limit of unsent bytes, in MB, must not end the call.
      const session = connect(`http://${new URL(server.url).host}`, { maxSessionMemory: 100 });
      const call = session.request({
        ':method': 'POST',
        ':path': '/event_store.client.streams.Streams/BatchAppend',
        'content-type': 'application/grpc',
        'connection-name': client.connectionName,
      });
      const correlations = Array.from({ length: count }, () => randomUUID());
      const frames = correlations.map((correlation) => requestFrame(stream(), correlation));
      call.write(Buffer.concat(frames));
      call.end();
      expect((await positionAtRest()) - before).toBeLessThan(count / 2);
      const answered = new Set<string>();
      const answers = new FrameSplitter(1_000_000, (answer) => {
        const { id } = /(?<id>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})/.exec(
          answer.toString('latin1'),
        )!.groups!;
        answered.add(id!);
      });
      call.on('data', (chunk: Buffer) => answers.push(chunk));
      await once(call, 'end');
      expect(answered).toStrictEqual(new Set(correlations));
      session.destroy();
    });
});
