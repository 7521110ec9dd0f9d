import { afterEach, describe, expect, it } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import {
  AmbiguousAppend,
  type EventStore,
  type EventToAppend,
  EventStoreUnavailable,
  LogFull,
} from '#event-store/event-store.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startProxy } from '#test/support/proxy.js';
import {
  type Appends,
  eventAt,
  failure,
  type Reads,
  type Script,
  startScriptedServer,
  success,
} from './event-store-scripted-server.js';

const noted = (): EventToAppend => ({
  id: randomUUID(),
  type: 'noted',
  data: {},
  metadata: {} as EventToAppend['metadata'],
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function connectTo(
  script: Script,
  timeouts: Parameters<typeof connectEventStore>[1] = {},
  query = '',
): Promise<EventStore> {
  const server = await startScriptedServer(script);
  closing.push(() => server.stop());
  const store = connectEventStore(`${server.url}${query}`, timeouts);
  closing.push(() => store.close());
  return store;
}

describe('An event store that misbehaves', () => {
  it('An append that is never answered fails as ambiguous after its timeout', async () => {
    const store = await connectTo({ onAppend: () => undefined }, { appendTimeoutMs: 100 });
    await expect(store.append('a', 'no_stream', [noted()])).rejects.toThrow(AmbiguousAppend);
  });

  it('After an append without an answer the next append uses a new connection', async () => {
    const calls = new Set<Appends>();
    const store = await connectTo(
      {
        onAppend: (request, call) => {
          calls.add(call);
          if (calls.size > 1) call.write(success(request, 0));
        },
      },
      { appendTimeoutMs: 100 },
    );
    await expect(store.append('a', 'no_stream', [noted()])).rejects.toThrow(AmbiguousAppend);
    expect((await store.append('b', 'no_stream', [noted()])).revision).toBe(0);
  });

  it('An answer that comes after its timeout is ignored', async () => {
    const late: (() => void)[] = [];
    const store = await connectTo(
      {
        onAppend: (request, call) =>
          late.length === 0
            ? late.push(() => call.write(success(request, 0)))
            : call.write(success(request, 7)),
      },
      { appendTimeoutMs: 100 },
    );
    await expect(store.append('a', 'no_stream', [noted()])).rejects.toThrow(AmbiguousAppend);
    late[0]!();
    expect((await store.append('b', 6, [noted()])).revision).toBe(7);
  });

  it('The failure of one connection does not affect the pending appends of another', async () => {
    const held: { request: BatchAppendReq; call: Appends }[] = [];
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const patient = await connectTo({
      onAppend: (request, call) => {
        held.push({ request, call });
        arrived();
      },
    });
    const doomed = await connectTo({
      onAppend: (_, call) => call.emit('error', { code: status.UNAVAILABLE, details: 'gone' }),
    });
    const pending = patient.append('a', 'no_stream', [noted()]);
    await arrival;
    await expect(doomed.append('b', 'no_stream', [noted()])).rejects.toThrow(AmbiguousAppend);
    held[0]!.call.write(success(held[0]!.request, 0));
    expect((await pending).revision).toBe(0);
  });

  it('An append succeeds on a server that does not list its methods', async () => {
    // The scripted server does not implement GetSupportedMethods.
    const store = await connectTo({ onAppend: (req, call) => call.write(success(req, 4)) });
    expect((await store.append('a', 3, [noted()])).revision).toBe(4);
  });

  it('A conflict names both revisions, even if the stream does not exist', async () => {
    const conflict = new sharedPb.WrongExpectedVersion();
    conflict.setCurrentNoStream(new sharedPb.Empty());
    const details = {
      type: 'event_store.client.WrongExpectedVersion',
      bytes: conflict.serializeBinary(),
    };
    const store = await connectTo(
      { onAppend: (request, call) => call.write(failure(request, 9, details)) },
      {},
      '&throwOnAppendFailure=false',
    );
    await expect(store.append('a', 3, [noted()])).rejects.toMatchObject({
      name: 'RevisionConflict',
      stream: 'a',
      expected: 3,
      actual: 'no_stream',
      message: expect.stringMatching(/a was expected at 3 and is at no_stream/),
    });
  });

  it('An append to a full log fails with LogFull', async () => {
    const store = await connectTo({
      onAppend: (request, call) => call.write(failure(request, status.RESOURCE_EXHAUSTED)),
    });
    await expect(store.append('a', 'no_stream', [noted()])).rejects.toThrow(LogFull);
  });

  it('An append that fails without an explanation is ambiguous', async () => {
    const store = await connectTo({
      onAppend: (request, call) => call.write(failure(request, status.INTERNAL)),
    });
    await expect(store.append('a', 'no_stream', [noted()])).rejects.toThrow(AmbiguousAppend);
  });

  it('A read that is never answered fails as unavailable after its timeout', async () => {
    const store = await connectTo({ onRead: () => undefined }, { readTimeoutMs: 100 });
    await expect(store.lastOf('a')).rejects.toThrow(EventStoreUnavailable);
  });

  it('A refused read reports the reason, even if another read was answered before, or if the refused read already yielded some events', async () => {
    const broken = { code: status.INTERNAL, details: 'the index is broken – rebuild it' };
    let reads = 0;
    const store = await connectTo({
      onRead: (call) => {
        reads += 1;
        if (reads !== 2) call.write(eventAt(reads));
        if (reads === 2 || reads === 3) call.emit('error', broken);
        else call.end();
      },
    });
    expect((await store.lastOf('a'))?.number).toBe(1);
    for (let refused = 0; refused < 2; refused += 1) {
      await expect(store.lastOf('a')).rejects.toMatchObject({
        name: 'EventStoreUnavailable',
        message: expect.stringMatching(/INTERNAL: the index is broken – rebuild it/),
      });
    }
    expect((await store.lastOf('a'))?.number).toBe(4);
  });

  it('A read that is paused fails if its connection is cut, instead of ending early', async () => {
    // There are far more events than the reader and the connection can buffer, so the server has to
    // pause.
    const events = 2_000;
    const server = await startScriptedServer({
      onRead: (call) => {
        for (let number = 0; number < events; number += 1) call.write(eventAt(number, 4_000));
        call.end();
      },
    });
    const proxy = await startProxy(server.url);
    const store = connectEventStore(proxy.url);
    closing.push(
      () => server.stop(),
      () => proxy.stop(),
      () => store.close(),
    );
    let read = 0;
    const reading = async (): Promise<void> => {
      for await (const _ of store.readStream('a')) {
        read += 1;
        if (read === 1) {
          await delay(200);
          proxy.disconnect();
        }
      }
    };
    await expect(reading()).rejects.toThrow(EventStoreUnavailable);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(events);
  });

  it('A read that the server refuses before processing it (REFUSED_STREAM) is sent again', async () => {
    let asked = 0;
    const server = createServer();
    server.on('stream', (stream) => {
      asked += 1;
      stream.on('error', () => undefined);
      if (asked === 2) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc' },
        { waitForTrailers: true },
      );
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      const message = Buffer.from(eventAt(asked).serializeBinary());
      const header = Buffer.alloc(5);
      header.writeUInt32BE(message.length, 1);
      stream.end(Buffer.concat([header, message]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const store = connectEventStore(`esdb://127.0.0.1:${port}?tls=false`);
    closing.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => store.close(),
    );
    expect((await store.lastOf('a'))?.number).toBe(1);
    expect((await store.lastOf('a'))?.number).toBe(3);
    expect((await store.lastOf('a'))?.number).toBe(4);
  });

  it('When a node answers that it is a follower, the client moves to the leader that the node names', async () => {
    const leader = await startScriptedServer({
      onRead: (call) => {
        call.write(eventAt(2));
        call.end();
      },
    });
    closing.push(() => leader.stop());
    const { hostname, port } = new URL(leader.url.replace('esdb:', 'http:'));
    const metadata = new Metadata();
    metadata.set('exception', 'not-leader');
    metadata.set('leader-endpoint-host', hostname);
    metadata.set('leader-endpoint-port', port);
    let reads = 0;
    const store = await connectTo({
      onRead: (call) => {
        reads += 1;
        if (reads === 3) call.emit('error', { code: status.NOT_FOUND, details: 'gone', metadata });
        else {
          call.write(eventAt(1));
          call.end();
        }
      },
    });
    for (let answered = 0; answered < 2; answered += 1)
      expect((await store.lastOf('a'))?.number).toBe(1);
    expect((await store.lastOf('a'))?.number).toBe(2);
    expect(reads).toBe(3);
  });

  it('The client does not append to a server that has not answered a read', async () => {
    let appends = 0;
    const store = await connectTo(
      { onRead: () => undefined, onAppend: () => (appends += 1) },
      { readTimeoutMs: 100 },
    );
    await expect(store.append('a', 'no_stream', [noted()])).rejects.toThrow(EventStoreUnavailable);
    expect(appends).toBe(0);
  });
});

describe('A subscription that ends or falls silent', () => {
  /**
   * Sends event 1, ends the subscription with `end`, then sends event 2 to the next subscription. Returns the position after which each subscription began.
   */
  const followsPast = async (
    end: (call: Reads) => void,
    script: Script = {},
  ): Promise<readonly (string | undefined)[]> => {
    const asked: (string | undefined)[] = [];
    const store = await connectTo(
      {
        ...script,
        onSubscribe: (call, after) => {
          asked.push(after);
          if (asked.length === 1) {
            call.write(eventAt(1));
            end(call);
          } else call.write(eventAt(2));
        },
      },
      { silenceMs: 50 },
    );
    const seen: bigint[] = [];
    await new Promise<void>((resolve) => {
      store.subscribe({
        after: undefined,
        onEvents: async (events) => {
          seen.push(...events.map(({ position }) => position));
          if (seen.length >= 2) resolve();
        },
      });
    });
    expect(seen).toStrictEqual([1n, 2n]);
    return asked;
  };

  it('A subscription continues after the server has ended it without an error', async () => {
    expect(await followsPast((call) => call.end())).toStrictEqual([undefined, '1']);
  });

  it('A subscription continues after the server has cancelled it', async () => {
    const cancel = (call: Reads): void => {
      call.emit('error', { code: status.CANCELLED, details: 'shutting down' });
    };
    expect(await followsPast(cancel)).toStrictEqual([undefined, '1']);
  });

  it('A subscription that stays open but silent while the log grows is restarted and continues', async () => {
    const endOfLog = (call: Reads): void => {
      call.write(eventAt(2));
      call.end();
    };
    expect(await followsPast(() => undefined, { onRead: endOfLog })).toStrictEqual([
      undefined,
      '1',
    ]);
  });

  it('A subscription that is silent at the end of the log is not restarted', async () => {
    let calls = 0;
    const store = await connectTo(
      {
        onSubscribe: (call) => {
          calls += 1;
          call.write(eventAt(1));
          setTimeout(() => call.write(eventAt(2)), 400);
        },
        onRead: (call) => {
          call.write(eventAt(1));
          call.end();
        },
      },
      { silenceMs: 50 },
    );
    await new Promise<void>((resolve) => {
      store.subscribe({
        after: undefined,
        onEvents: async (events) => {
          if (events.at(-1)?.position === 2n) resolve();
        },
      });
    });
    expect(calls).toBe(1);
  });

  it('A handler that fails stops its subscription for good, and onStopped gets the cause', async () => {
    let calls = 0;
    const store = await connectTo({
      onSubscribe: (call) => {
        calls += 1;
        call.write(eventAt(1));
        call.write(eventAt(2));
      },
    });
    const cause = await new Promise((resolve) => {
      store.subscribe({
        after: undefined,
        onEvents: () => Promise.reject(new Error('poison')),
        onStopped: resolve,
      });
    });
    expect((cause as Error).message).toBe('poison');
    expect(calls).toBe(1);
  });
});
