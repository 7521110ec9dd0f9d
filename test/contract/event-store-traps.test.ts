import { connectEventStore } from '#event-store/event-store-db.js';
import {
  AmbiguousAppend,
  type EventStore,
  type EventToAppend,
  EventStoreUnavailable,
  LogFull,
  RevisionConflict,
} from '#event-store/event-store.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startProxy } from './event-store-proxy.js';
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

describe('What the database client gets wrong does not reach us', () => {
  it('An append that is never answered fails as ambiguous in its own time', async () => {
    const store = await connectTo({ onAppend: () => undefined }, { appendTimeoutMs: 100 });
    await assert.rejects(store.append('a', 'no_stream', [noted()]), AmbiguousAppend);
  });

  it('After an append without an answer the next one goes over a new connection', async () => {
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
    await assert.rejects(store.append('a', 'no_stream', [noted()]), AmbiguousAppend);
    assert.equal((await store.append('b', 'no_stream', [noted()])).revision, 0);
  });

  it('An answer that comes after its timeout is passed over in silence', async () => {
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
    await assert.rejects(store.append('a', 'no_stream', [noted()]), AmbiguousAppend);
    late[0]!();
    assert.equal((await store.append('b', 6, [noted()])).revision, 7);
  });

  it('The failure of one connection leaves the pending appends of another alone', async () => {
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
    await assert.rejects(doomed.append('b', 'no_stream', [noted()]), AmbiguousAppend);
    held[0]!.call.write(success(held[0]!.request, 0));
    assert.equal((await pending).revision, 0);
  });

  it('A server that cannot tell which methods it has is appended to all the same', async () => {
    // The scripted server does not implement GetSupportedMethods at all.
    const store = await connectTo({ onAppend: (req, call) => call.write(success(req, 4)) });
    assert.equal((await store.append('a', 3, [noted()])).revision, 4);
  });

  it('A conflict names both revisions, also where the stream does not exist', async () => {
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
    await assert.rejects(store.append('a', 3, [noted()]), (error) => {
      assert.ok(error instanceof RevisionConflict);
      assert.deepEqual([error.stream, error.expected, error.actual], ['a', 3, 'no_stream']);
      assert.match(error.message, /a was expected at 3 and is at no_stream/);
      return true;
    });
  });

  it('A log without room is told apart from every other failure', async () => {
    const store = await connectTo({
      onAppend: (request, call) => call.write(failure(request, status.RESOURCE_EXHAUSTED)),
    });
    await assert.rejects(store.append('a', 'no_stream', [noted()]), LogFull);
  });

  it('A failure that the server does not explain is ambiguous', async () => {
    const store = await connectTo({
      onAppend: (request, call) => call.write(failure(request, status.INTERNAL)),
    });
    await assert.rejects(store.append('a', 'no_stream', [noted()]), AmbiguousAppend);
  });

  it('A read that is never answered fails as unavailable in its own time', async () => {
    const store = await connectTo({ onRead: () => undefined }, { readTimeoutMs: 100 });
    await assert.rejects(store.lastOf('a'), EventStoreUnavailable);
  });

  it('A read that is refused says why, also behind one that was answered, and with a part of it read', async () => {
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
    assert.equal((await store.lastOf('a'))?.number, 1);
    for (let refused = 0; refused < 2; refused += 1) {
      await assert.rejects(store.lastOf('a'), (cause: Error) => {
        assert.ok(cause instanceof EventStoreUnavailable);
        assert.match(cause.message, /INTERNAL: the index is broken – rebuild it/);
        return true;
      });
    }
    assert.equal((await store.lastOf('a'))?.number, 4);
  });

  it('A read that is cut off while it is held back fails, and is not taken for whole', async () => {
    // Far more than the reader takes before it holds the server back, and than is then on the way.
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
    await assert.rejects(reading(), EventStoreUnavailable);
    assert.ok(read > 0 && read < events, `${read} of ${events} were read`);
  });

  it('A read that a server had no time to look at is asked again', async () => {
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
    assert.equal((await store.lastOf('a'))?.number, 1);
    assert.equal((await store.lastOf('a'))?.number, 3);
    assert.equal((await store.lastOf('a'))?.number, 4);
  });

  it('A node that is no leader any more is left for the one that it names', async () => {
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
      assert.equal((await store.lastOf('a'))?.number, 1);
    await assert.rejects(store.lastOf('a'), EventStoreUnavailable);
    assert.equal((await store.lastOf('a'))?.number, 2);
    assert.equal(reads, 3);
  });

  it('A server that does not answer a read is not appended to: nothing was written', async () => {
    let appends = 0;
    const store = await connectTo(
      { onRead: () => undefined, onAppend: () => (appends += 1) },
      { readTimeoutMs: 100 },
    );
    await assert.rejects(store.append('a', 'no_stream', [noted()]), EventStoreUnavailable);
    assert.equal(appends, 0);
  });
});

describe('A subscription goes on whatever ends it', () => {
  /** Gives event 1 on the first call, ends it as told, and gives event 2 to whoever asks after 1. */
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
    assert.deepEqual(seen, [1n, 2n]);
    return asked;
  };

  it('It ended without a word', async () => {
    assert.deepEqual(await followsPast((call) => call.end()), [undefined, '1']);
  });

  it('It was cancelled by the server', async () => {
    const cancel = (call: Reads): void => {
      call.emit('error', { code: status.CANCELLED, details: 'shutting down' });
    };
    assert.deepEqual(await followsPast(cancel), [undefined, '1']);
  });

  it('It stayed open and said nothing, although the log went on', async () => {
    const endOfLog = (call: Reads): void => {
      call.write(eventAt(2));
      call.end();
    };
    assert.deepEqual(await followsPast(() => undefined, { onRead: endOfLog }), [undefined, '1']);
  });

  it('It is left alone where it is silent at the end of the log', async () => {
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
    assert.equal(calls, 1);
  });

  it('A handler that fails stops it for good, and says why', async () => {
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
    assert.equal((cause as Error).message, 'poison');
    assert.equal(calls, 1);
  });
});
