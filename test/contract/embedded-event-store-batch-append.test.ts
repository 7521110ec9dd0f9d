import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, Metadata } from '@grpc/grpc-js';
import { appendRequest } from '#event-store/protocol/batch-append.js';
import { FRAME_HEADER } from '#event-store-protocol/frames.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';

let server: TestServer;
let client: EventStoreDBClient;
let raw: InstanceType<typeof streamsGrpc.StreamsClient>;

beforeAll(async () => {
  server = await startTestEventStore();
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

function requestTo(stream: string): streamsPb.BatchAppendReq {
  const event = { id: randomUUID(), type: 'noted', data: {}, metadata: {} };
  const frame = appendRequest({
    ...{ correlation: randomUUID(), stream, expected: 'no_stream', deadline: Date.now() + 60_000 },
    events: [event as never],
  });
  return streamsPb.BatchAppendReq.deserializeBinary(frame.subarray(FRAME_HEADER));
}

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
});
