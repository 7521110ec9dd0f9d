import { afterAll, describe, expect, it } from '@jest/globals';
import { ServerCredentials } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { startEventStoreChild } from '#embedded/event-store-child.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventToAppend } from '#event-store/event-store.js';
import { openSession } from '#event-store/session.js';
import { survey } from '#event-store/survey.js';
import {
  eventAt,
  startScriptedServer,
  success,
} from '#test/contract/event-store-scripted-server.js';
import { type Break, type BreakKind, startBreakingProxy } from '#test/support/breaking-proxy.js';
import { selfSignedCertificate } from '#test/support/self-signed-certificate.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

// Jest fails a test in which an exception is not caught or a rejection is not handled.

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const AT_ONCE = 12;
const TIMEOUTS = { appendTimeoutMs: 100, readTimeoutMs: 100, silenceMs: 50 };
/** When the client closes: with its calls, a moment later, or after them. */
const CLOSINGS = ['at once', 'soon', 'at the end'] as const;

const noted = (): EventToAppend => ({
  id: randomUUID(),
  type: 'noted',
  data: {},
  metadata: {} as EventToAppend['metadata'],
});

/** Makes every kind of call, and resolves when all have settled and the client is closed. */
async function callEverything(url: string, closes: (typeof CLOSINGS)[number]): Promise<void> {
  const store = connectEventStore(url, TIMEOUTS);
  const subscription = store.subscribe({ after: undefined, onEvents: async () => undefined });
  const calls = [
    store.append('a', 'no_stream', [noted()]),
    store.append('b', 0, [noted()]),
    store.lastOf('a'),
    store.lastPosition(),
    store.ping(),
  ];
  const settled = Promise.allSettled(calls);
  const surveyed = survey(url);
  if (closes === 'soon') for (let turn = 0; turn < 4; turn += 1) await afterThisTurn();
  if (closes === 'at the end') await settled;
  await subscription.stop();
  await store.close();
  await settled;
  await surveyed;
}

/** A unit of a connection is a frame of HTTP/2 or a record of TLS. Returns the offsets of their beginnings. */
function unitsIn(bytes: Buffer, header: number, lengthAt: (at: number) => number): number[] {
  const units: number[] = [];
  for (let at = 0; at + header <= bytes.length; at += header + lengthAt(at)) units.push(at);
  return units;
}
const framesIn = (bytes: Buffer): number[] => unitsIn(bytes, 9, (at) => bytes.readUIntBE(at, 3));
const recordsIn = (bytes: Buffer): number[] =>
  unitsIn(bytes, 5, (at) => bytes.readUInt16BE(at + 3));

/** Between two units, in the header of one, and in its content. */
const placesIn = (units: readonly number[], header: number): number[] =>
  units.flatMap((at) => [at, at + 2, at + header + 1]);

function frame(type: number, stream: number, content: readonly number[]): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.length, 0, 3);
  head[3] = type;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(content)]);
}
const goAway = (lastStream: number, code: number): Buffer =>
  frame(7, 0, [...numberBytes(lastStream), ...numberBytes(code)]);
function numberBytes(number: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return [...bytes];
}
const resetStream = (stream: number, code: number): Buffer => frame(3, stream, numberBytes(code));

const BREAKS: readonly BreakKind[] = ['end', 'reset', 'stall'];
const INJECTED: Readonly<Record<string, Buffer>> = {
  'GOAWAY without an error': goAway(2 ** 31 - 1, 0),
  'GOAWAY that refuses every stream': goAway(0, 0),
  'GOAWAY with an error': goAway(2 ** 31 - 1, 2),
  'RST_STREAM that refuses the first stream': resetStream(1, 7),
  'RST_STREAM with an error of the first stream': resetStream(1, 2),
  'bytes that are no frame': Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
};

const answering = {
  onRead: (call) => {
    call.write(eventAt(1));
    call.end();
  },
  onAppend: (request, call) => call.write(success(request, 1)),
  onSubscribe: (call) => call.write(eventAt(1)),
} satisfies Parameters<typeof startScriptedServer>[0];

/** Makes the calls once with each break, on a connection of its own; `AT_ONCE` of them at the same time. */
async function callWithEachBreak(
  target: number,
  urlTo: (port: number) => string,
  breaks: readonly Break[],
  host?: string,
): Promise<void> {
  const todo = breaks.entries();
  const work = async (): Promise<void> => {
    const proxy = await startBreakingProxy(target, host);
    const url = urlTo(proxy.port);
    for (const [index, plan] of todo) {
      proxy.next(plan);
      await callEverything(url, CLOSINGS[index % CLOSINGS.length]!);
    }
    await proxy.stop();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const store = connectEventStore(urlTo(target), { readTimeoutMs: 60_000 });
  await store.ping();
  await store.close();
}

/** Returns the bytes of the connections of one run without a break. */
async function bytesOfRun(
  target: number,
  urlTo: (port: number) => string,
  toward: Break['toward'],
  host?: string,
): Promise<Buffer> {
  const proxy = await startBreakingProxy(target, host);
  const store = connectEventStore(urlTo(proxy.port));
  await store.ping();
  await store.append('a', 'no_stream', [noted()]).catch(() => undefined);
  await store.lastOf('a');
  await store.close();
  await proxy.stop();
  return proxy.takeBytes(toward);
}

const withoutTls = (port: number): string => `esdb://127.0.0.1:${port}?tls=false`;

describe('A client of an event store whose connection breaks', () => {
  it('a session that is closed or destroyed while it connects ends quietly', async () => {
    const server = await startScriptedServer(answering);
    closing.push(() => server.stop());
    const settings = { keepAliveInterval: 1, keepAliveTimeout: 1 } as Parameters<
      typeof openSession
    >[1];
    for (const end of ['close', 'destroy'] as const) {
      const session = openSession(`127.0.0.1:${server.port}`, settings);
      const closed = new Promise((resolve) => session.once('close', resolve));
      session[end]();
      await closed;
    }
    await afterThisTurn();
  });

  it('a read whose calls are all refused asks again on new connections, with pauses, until its timeout', async () => {
    let [connections, calls] = [0, 0];
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(frame(4, 0, [])));
      socket.on('data', (chunk) => {
        const frames = chunk.subarray(chunk.indexOf('PRI * HTTP/2.0') === 0 ? 24 : 0);
        for (const at of framesIn(frames).filter((at) => frames[at + 3] === 1)) {
          calls += 1;
          socket.write(resetStream(frames.readUInt32BE(at + 5), 7));
        }
      });
      closing.push(() => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    closing.push(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const store = connectEventStore(withoutTls(port), { readTimeoutMs: 400 });
    await expect(store.ping()).rejects.toThrow('no answer in 400 ms');
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThan(20);
    expect(connections).toBe(calls);
    await store.close();
  });

  it('whatever byte of the server is the last one, every call settles', async () => {
    const server = await startScriptedServer(answering);
    closing.push(() => server.stop());
    const places = placesIn(framesIn(await bytesOfRun(server.port, withoutTls, 'client')), 9);
    expect(places.length).toBeGreaterThan(20);
    await callWithEachBreak(
      server.port,
      withoutTls,
      places.flatMap((after) => BREAKS.map((kind) => ({ toward: 'client', after, kind }) as const)),
    );
  });

  for (const [name, inject] of Object.entries(INJECTED))
    it(`whenever the server sends ${name}, every call settles`, async () => {
      const server = await startScriptedServer(answering);
      closing.push(() => server.stop());
      const places = framesIn(await bytesOfRun(server.port, withoutTls, 'client'));
      await callWithEachBreak(
        server.port,
        withoutTls,
        places.map((after) => ({ toward: 'client', after, kind: { inject } })),
      );
    });

  it('whatever byte of a handshake with TLS is the last one, every call settles', async () => {
    const { certificate, key } = selfSignedCertificate('localhost');
    const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
    const server = await startScriptedServer(answering, {
      host: 'localhost',
      credentials: ServerCredentials.createSsl(null, [pair]),
    });
    const folder = temporaryFolder('tls');
    const authority = join(folder.path, 'authority.pem');
    writeFileSync(authority, certificate);
    closing.push(
      () => server.stop(),
      () => folder.remove(),
    );
    const withTls = (port: number): string =>
      `esdb://localhost:${port}?tlsCAFile=${encodeURIComponent(authority)}`;
    const bytes = await bytesOfRun(server.port, withTls, 'client', 'localhost');
    const places = placesIn(recordsIn(bytes), 5);
    expect(places.length).toBeGreaterThan(10);
    await callWithEachBreak(
      server.port,
      withTls,
      places.flatMap((after) => BREAKS.map((kind) => ({ toward: 'client', after, kind }) as const)),
      'localhost',
    );
  });

  it('while the hosts of a cluster break their connections, every call settles, and so does the close', async () => {
    let leaderPort = 0;
    const server = await startScriptedServer({ ...answering, leaderPort: () => leaderPort });
    closing.push(() => server.stop());
    const ofCluster = (port: number): string => {
      leaderPort = port;
      const host = `127.0.0.1:${port}`;
      return `esdb://${host},${host}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`;
    };
    const places = framesIn(await bytesOfRun(server.port, ofCluster, 'client'));
    await callWithEachBreak(
      server.port,
      ofCluster,
      places.flatMap((after) => BREAKS.map((kind) => ({ toward: 'client', after, kind }) as const)),
    );
  });
});

describe('The embedded event store, when the connection of its client breaks', () => {
  it('whatever byte of the client is the last one, the node goes on', async () => {
    const folder = temporaryFolder('event-store');
    const node = await startEventStoreChild(folder.path, 0, () => undefined);
    closing.push(
      () => folder.remove(),
      () => node.stop(),
    );
    const urlTo = (port: number): string => node.url.replace(String(node.port), String(port));
    // Before its frames, a client sends the 24 bytes of the preface.
    const bytes = await bytesOfRun(node.port, urlTo, 'server');
    const frames = framesIn(bytes.subarray(24));
    const places = [0, 10, 24, ...placesIn(frames, 9).map((at) => 24 + at)];
    await callWithEachBreak(
      node.port,
      urlTo,
      places.flatMap((after) => BREAKS.map((kind) => ({ toward: 'server', after, kind }) as const)),
    );
  });
});
