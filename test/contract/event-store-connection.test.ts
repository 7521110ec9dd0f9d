import { afterEach, describe, expect, it } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { freePort } from '#test/support/free-port.js';
import { selfSignedCertificate } from '#test/support/self-signed-certificate.js';
import { ServerCredentials } from '@grpc/grpc-js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProxy } from '#test/support/proxy.js';
import {
  eventAt,
  type Reads,
  type Script,
  startScriptedServer,
} from './event-store-scripted-server.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function connected(url: string): EventStore {
  const store = connectEventStore(url, { silenceMs: 60_000 });
  closing.push(() => store.close());
  return store;
}

async function start(script: Script, options: Parameters<typeof startScriptedServer>[1] = {}) {
  const server = await startScriptedServer(script, options);
  closing.push(() => server.stop());
  return server;
}

const answering =
  (position: number) =>
  (call: Reads): void => {
    call.write(eventAt(position));
    call.end();
  };

describe('A connection with TLS', () => {
  const startSecured = async () => {
    const { certificate, key } = selfSignedCertificate('localhost');
    const folder = await mkdtemp(join(tmpdir(), 'mace tls-'));
    closing.push(() => rm(folder, { recursive: true }));
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, certificate);
    const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
    const signedIn: unknown[] = [];
    const server = await start(
      {
        onRead: (call) => {
          signedIn.push(...call.metadata.get('authorization'));
          answering(7)(call);
        },
      },
      { host: 'localhost', credentials: ServerCredentials.createSsl(null, [pair]) },
    );
    return { server, authority: encodeURIComponent(authority), signedIn };
  };

  it('The client verifies the server by the certificate of the connection string, and signs in with a password', async () => {
    const { server, authority, signedIn } = await startSecured();
    const url = `esdb://ouro:p%40ss@localhost:${server.port}?tls-ca-file=${authority}`;
    expect((await connected(url).lastOf('a'))?.number).toBe(7);
    expect(signedIn).toStrictEqual([`Basic ${Buffer.from('ouro:p@ss').toString('base64')}`]);
  });

  it('The client sends nothing to a server with an untrusted certificate', async () => {
    const { server, signedIn } = await startSecured();
    const store = connected(`esdb://ouro:secret@localhost:${server.port}`);
    await expect(store.lastOf('a')).rejects.toThrow(EventStoreUnavailable);
    expect(signedIn).toStrictEqual([]);
  });
});

describe('A cluster', () => {
  for (const [kind, scheme] of [
    ['several hosts', 'esdb'],
    ['a name for discovery', 'esdb+discover'],
  ] as const) {
    it(`With ${kind} the client finds the leader by gossip, and finds the next leader when the first one is gone`, async () => {
      let leaderPort: number | undefined;
      const seed = await start({ leaderPort: () => leaderPort });
      const first = await start({ onRead: answering(1) });
      const second = await start({ onRead: answering(2) });
      leaderPort = first.port;
      const hosts = [seed.port, ...(scheme === 'esdb' ? [await freePort()] : [])];
      const list = hosts.map((port) => `127.0.0.1:${port}`).join(',');
      const store = connected(`${scheme}://${list}?tls=false&nodePreference=leader`);
      expect((await store.lastOf('a'))?.number).toBe(1);
      first.stop();
      leaderPort = second.port;
      expect((await store.lastOf('a'))?.number).toBe(2);
    });
  }
});

describe('Keep-alive', () => {
  it('A connection that does not answer a ping is closed, long before a silent subscription is checked', async () => {
    const server = await start({ onSubscribe: (call) => call.write(eventAt(1)) });
    const proxy = await startProxy(server.url);
    closing.push(() => proxy.stop());
    const store = connected(`${proxy.url}&keepAliveInterval=100&keepAliveTimeout=200`);
    const cause = await new Promise<unknown>((resolve) => {
      store.subscribe({
        after: undefined,
        onEvents: async () => proxy.muteServer(),
        onResubscribe: resolve,
      });
    });
    expect(String(cause)).toMatch(/UNAVAILABLE/);
  });
});

describe('A connection that was cut', () => {
  it('A connection that is cut while it is idle is opened again when the server is back', async () => {
    const server = await start({ onRead: answering(3) });
    const proxy = await startProxy(server.url);
    closing.push(() => proxy.stop());
    const store = connected(proxy.url);
    expect((await store.lastOf('a'))?.number).toBe(3);
    proxy.disconnect();
    await expect(store.lastOf('a')).rejects.toThrow(EventStoreUnavailable);
    proxy.reconnect();
    expect((await store.lastOf('a'))?.number).toBe(3);
    expect((await store.lastOf('a'))?.number).toBe(3);
  });
});
