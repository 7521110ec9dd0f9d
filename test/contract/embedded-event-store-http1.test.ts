import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';

let server: TestServer;

beforeAll(async () => {
  server = await startOwnEventStore();
});
afterAll(() => server.stop());

const call = (path: string, method = 'GET') =>
  fetch(`http://${new URL(server.url).host}${path}`, { method });

function opened(): Socket {
  const { hostname, port } = new URL(server.url);
  return connect(Number(port), hostname);
}

async function answerTo(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

describe('Over HTTP/1.1 the port of the embedded node', () => {
  it('answers 204 to GET and HEAD /health/live, without the secret', async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const path of ['/health/live', '/health/live?from=a-probe']) {
        const answer = await call(path, method);
        expect([answer.status, await answer.text()]).toStrictEqual([204, '']);
      }
    }
  });

  it('answers 405 to other methods of /health/live', async () => {
    const answer = await call('/health/live', 'POST');
    expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD']);
  });

  it('answers 404 to every other path, with a sentence that says what the port serves', async () => {
    const stream = '/event_store.client.streams.Streams/Read';
    for (const path of ['/', '/streams/private', '/health/live/', '/health', stream]) {
      const answer = await call(path);
      expect([answer.status, await answer.text()]).toStrictEqual([
        404,
        'The embedded event store serves gRPC over HTTP/2, and over HTTP/1.1 only GET /health/live.\n',
      ]);
    }
  });

  it('answers 400 to bytes that are neither HTTP/1.1 nor HTTP/2', async () => {
    const socket = opened();
    socket.write('PRINT hello\r\n\r\n');
    expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('closes a connection on which a client begins a request and never ends it', async () => {
    const [silent, begun] = [opened(), opened()];
    silent.write('PRI');
    begun.write('GET /health/live HTTP/1.1\r\n');
    await Promise.all([answerTo(silent), answerTo(begun)]);
  });
});

describe('Over HTTP/2 the port of the embedded node', () => {
  it('serves a client whose first bytes arrive one after the other', async () => {
    const socket = opened();
    await once(socket, 'connect');
    socket.setNoDelay();
    for (const byte of 'PRI * HTTP/2.0\r\n\r\nSM') {
      socket.write(byte);
      await delay(1);
    }
    // An empty SETTINGS frame follows the rest of the preface.
    socket.write('\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
    const [settings] = (await once(socket, 'data')) as [Buffer];
    expect(settings[3]).toBe(4);
    socket.destroy();
  });

  it('serves other clients while one connection sends nothing and others break', async () => {
    const silent = opened();
    await once(silent, 'connect');
    for (let index = 0; index < 20; index += 1) opened().resetAndDestroy();
    const session = connectHttp2(`http://${new URL(server.url).host}`);
    await once(session, 'remoteSettings');
    session.destroy();
    const client = EventStoreDBClient.connectionString(server.url);
    await client.appendToStream('after-others', jsonEvent({ type: 'Happened', data: {} }));
    await client.dispose();
    silent.destroy();
  });

  it('stops although a connection has sent nothing', async () => {
    const other = await startOwnEventStore();
    const silent = connect(Number(new URL(other.url).port), '127.0.0.1');
    await once(silent, 'connect');
    await other.stop();
    silent.destroy();
  });
});
