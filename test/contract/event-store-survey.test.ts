import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerCredentials, status } from '@grpc/grpc-js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { survey } from '#event-store/survey.js';
import { selfSignedCertificate } from '#test/support/self-signed-certificate.js';
import { startOwnEventStore, type OwnEventStore } from '#test/support/servers.js';
import { ELECTION, type Script, startScriptedServer } from './event-store-scripted-server.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(script: Script, options: Parameters<typeof startScriptedServer>[1] = {}) {
  const server = await startScriptedServer(script, options);
  closing.push(() => server.stop());
  return server;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function startSecured() {
  const { certificate, key } = selfSignedCertificate('localhost');
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  const credentials = ServerCredentials.createSsl(null, [pair]);
  const folder = await mkdtemp(join(tmpdir(), 'mace-tls-'));
  closing.push(() => rm(folder, { recursive: true }));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificate);
  const { port } = await start({}, { host: 'localhost', credentials });
  return { port, authority: encodeURIComponent(authority) };
}

const diagnosisOf = async (url: string) => {
  const [host] = await survey(url);
  return [host?.diagnosis?.kind, host?.diagnosis?.sentence];
};

const refusing = (refusal: Script['refusal']): Script => ({
  onRead: (call) => call.emit('error', refusal?.()),
});

describe('Why an event store cannot be used', () => {
  let embedded: OwnEventStore;
  beforeAll(async () => {
    embedded = await startOwnEventStore();
  });
  afterAll(() => embedded.stop());

  it('a node that answers is named with its version', async () => {
    const { url } = embedded;
    const [host] = await survey(url);
    expect(host?.diagnosis).toBeUndefined();
    expect(host?.version).toMatch(/^24\.10\./);
  });

  it('a wrong secret of the embedded node is a wrong setting', async () => {
    const { url } = embedded;
    const wrong = url.replace(/connectionName=[^&]+/, 'connectionName=wrong');
    expect(await diagnosisOf(wrong)).toStrictEqual([
      'setting',
      expect.stringMatching(/refuses the user and password, or the secret/),
    ]);
  });

  it('a user without the right to read $all is a wrong setting', async () => {
    const denied = { code: status.PERMISSION_DENIED, details: 'Access Denied' };
    const { url } = await start(refusing(() => denied));
    expect(await diagnosisOf(url)).toStrictEqual([
      'setting',
      expect.stringMatching(/does not let the user .* read \$all\. .* mace event-store setup/),
    ]);
  });

  it('an unknown authority, a certificate for another name, TLS to a plain port and the reverse are wrong settings', async () => {
    const { port, authority } = await startSecured();
    const plain = await start({});
    const cases = [
      [`esdb://localhost:${port}`, /authority of the certificate .* tlsCAFile/],
      [`esdb://127.0.0.1:${port}?tlsCAFile=${authority}`, /certificate .* for another host name/],
      [`esdb://127.0.0.1:${plain.port}`, /does not speak TLS. Add tls=false/],
      [`esdb://localhost:${port}?tls=false`, /speaks TLS. Remove tls=false/],
    ] as const;
    for (const [url, sentence] of cases)
      expect(await diagnosisOf(url)).toStrictEqual(['setting', expect.stringMatching(sentence)]);
    const [host] = await survey(`esdb://localhost:${port}?tlsCAFile=${authority}`);
    expect(host?.diagnosis).toBeUndefined();
  });

  it('a port of another program is a wrong setting', async () => {
    const page = await listening(createHttpServer((_, response) => response.end('hello')));
    const banner = await listening(createServer((socket) => socket.write('220 ready\r\n')));
    for (const port of [page, banner])
      expect(await diagnosisOf(`esdb://127.0.0.1:${port}?tls=false`)).toStrictEqual([
        'setting',
        expect.stringMatching(/answers, but it is not an EventStoreDB/),
      ]);
  });

  it('a closed port, a silent port and a cluster without a leader are outages', async () => {
    const silent = await listening(createServer(() => undefined));
    const electing = await start(refusing(() => ELECTION[0]));
    const cases = [
      ['esdb://127.0.0.1:1?tls=false', /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/],
      [`esdb://127.0.0.1:${silent}?tls=false`, /does not answer \(no answer in 1500 ms\)/],
      [electing.url, /its cluster has no leader/],
    ] as const;
    for (const [url, sentence] of cases)
      expect(await diagnosisOf(url)).toStrictEqual(['outage', expect.stringMatching(sentence)]);
  });

  it('a release without BatchAppend is a wrong setting, named with its version', async () => {
    const { url } = await start({ features: { version: '20.10.5', methods: ['append', 'read'] } });
    expect(await diagnosisOf(url)).toStrictEqual([
      'setting',
      expect.stringMatching(/EventStoreDB 20\.10\.5, which has no BatchAppend/),
    ]);
  });

  it('every host of a cluster is named, with the reason of each that does not answer', async () => {
    const good = await start({});
    const hosts = await survey(`esdb://127.0.0.1:1,127.0.0.1:${good.port}?tls=false`);
    expect(hosts.map(({ at, diagnosis }) => [at, diagnosis?.kind])).toStrictEqual([
      ['127.0.0.1:1', 'outage'],
      [`127.0.0.1:${good.port}`, undefined],
    ]);
  });
});
