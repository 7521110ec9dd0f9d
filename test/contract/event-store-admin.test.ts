import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parseConnectionString } from '#event-store/connection-string.js';
import { AdminClient } from '#event-store/rights/admin-client.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A gRPC frame: the flag says whether the message is compressed. */
function frame(flag: 0 | 1, message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A server that answers each call with an empty message, compressed as KurrentDB 25.1 does if the caller takes that. */
async function startCompressingServer() {
  const asked: IncomingHttpHeaders[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    asked.push(headers);
    stream.resume();
    const isCompressed = String(headers['grpc-accept-encoding']).includes('gzip');
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        ...(isCompressed ? { 'grpc-encoding': 'gzip' } : {}),
      },
      { waitForTrailers: true },
    );
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(isCompressed ? frame(1, gzipSync(Buffer.alloc(0))) : frame(0, Buffer.alloc(0)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `esdb://127.0.0.1:${port}?tls=false`, asked };
}

describe('The calls of an administrator', () => {
  it('ask for answers that are not compressed, so that an empty one can be read', async () => {
    const { url, asked } = await startCompressingServer();
    const admin = AdminClient.to(parseConnectionString(url));
    closing.push(() => admin.close());
    await admin.createUser('mace', 'secret', ['mace']);
    await admin.setPassword('mace', 'secret');
    const user = { name: 'mace', fullName: 'mace', groups: [], isDisabled: false };
    await admin.setGroups(user, ['mace']);
    expect(await admin.user('mace')).toBeUndefined();
    expect(asked.map((headers) => headers['grpc-accept-encoding'])).toStrictEqual(
      Array(4).fill('identity'),
    );
  });
});
