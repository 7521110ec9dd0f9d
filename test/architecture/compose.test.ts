import { afterAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ADMIN_URL, USER_PASSWORD } from '#apps/cli/event-store/setup.command.js';
import { parseConnectionString } from '#event-store/connection-string.js';
import { readConfig } from '#platform/config/service-config.js';
import { selfSignedCertificate } from '#test/support/self-signed-certificate.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

interface ComposeService {
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly restart?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string; required?: boolean }>>;
}
interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const TEXT = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
/** The file as Docker Compose reads it if every variable has the value `value` or its default. */
const FILE = parse(interpolated(TEXT), { merge: true }) as ComposeFile;
const SERVICES = Object.entries(FILE.services);
/** The services that run the product's image. */
const OURS = SERVICES.filter(([, { image }]) => image === 'mace-memory:local');

function interpolated(text: string): string {
  return text.replace(
    /(?<!\$)\$\{\w+(?::(?<kind>[-?])(?<rest>[^}]*))?\}/g,
    (_, kind?: string, rest?: string) => (kind === '-' && rest ? rest : 'value'),
  );
}

/** Returns the name of every variable that the service's configuration reads. */
async function variablesOfTheService(): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  const servers = {
    MACE_EVENTSTORE_URL: 'esdb://127.0.0.1',
    MACE_POSTGRES_URL: 'postgres://127.0.0.1',
  };
  const env: Record<string, string> = { ...TEST_KEYS, ...servers };
  await readConfig(
    new Proxy(env, {
      get: (target, name) => {
        read.add(String(name));
        return target[String(name)];
      },
    }),
  );
  return read;
}

describe('docker-compose.yml', () => {
  const folder = temporaryFolder('compose');
  afterAll(() => folder.remove());
  const authority = join(folder.path, 'ca.crt');
  writeFileSync(authority, selfSignedCertificate('event-store-secure').certificate);
  const here = (url: string): string => url.replace('/authority/ca.crt', authority);

  it('sets no variable of the product that neither the service nor mace event-store setup reads', async () => {
    const known = new Set([...(await variablesOfTheService()), ADMIN_URL, USER_PASSWORD]);
    const set = SERVICES.flatMap(([, { environment = {} }]) => Object.keys(environment));
    const ours = set.filter((name) => name.startsWith('MACE_'));
    expect(ours).toContain('MACE_EVENTSTORE_URL');
    expect(ours.filter((name) => !known.has(name))).toStrictEqual([]);
  });

  it('gives the service and the projector a configuration that they accept', async () => {
    for (const name of ['api', 'projector']) {
      const { environment } = FILE.services[name]!;
      const config = await readConfig({ ...environment, ...TEST_KEYS });
      expect(config.eventStoreUrl).toBe('esdb://event-store:2113?tls=false');
      expect(config.postgresUrl).toBe('postgres://mace:value@postgres:5432/mace');
    }
  });

  it('names connection strings that the product accepts, in comments too, and only hosts of this file', () => {
    const urls = interpolated(TEXT).match(/(?:esdb|kurrentdb)(?:\+discover)?:\/\/[^\s'"}]+/g) ?? [];
    expect(urls.length).toBeGreaterThanOrEqual(4);
    for (const url of urls)
      for (const { host } of parseConnectionString(here(url)).hosts)
        expect(Object.keys(FILE.services)).toContain(host);
  });

  it('has a profile for a cluster of three nodes and one for a node with TLS and users', () => {
    const of = (profile: string) =>
      SERVICES.filter(([, { profiles }]) => profiles?.includes(profile)).map(([name]) => name);
    expect(of('cluster')).toStrictEqual(['event-store-1', 'event-store-2', 'event-store-3']);
    expect(of('secure')).toStrictEqual([
      'event-store-certificates',
      'event-store-secure',
      'event-store-user',
    ]);
    for (const [, { environment = {} }] of SERVICES.filter(([name]) => /store-\d/.test(name)))
      for (const seed of environment['EVENTSTORE_GOSSIP_SEED']!.split(','))
        expect(of('cluster')).toContain(seed.replace(':2113', ''));
  });

  it('checks the health of every service that keeps running, and names every volume', () => {
    for (const [name, { healthcheck, restart, volumes = [] }] of SERVICES) {
      if (restart !== undefined) expect({ name, healthcheck }).toHaveProperty('healthcheck.test');
      for (const volume of volumes) expect(FILE.volumes).toHaveProperty([volume.split(':')[0]!]);
    }
    const used = new Set(SERVICES.flatMap(([, { volumes = [] }]) => volumes.map(volumeOf)));
    expect(Object.keys(FILE.volumes).filter((name) => !used.has(name))).toStrictEqual([]);
  });

  it('depends only on services that start together', () => {
    for (const [name, { depends_on = {}, profiles = [] }] of SERVICES)
      for (const [other, { condition, required = true }] of Object.entries(depends_on)) {
        const { profiles: needed = [], healthcheck } = FILE.services[other]!;
        const starts = !required || needed.every((profile) => profiles.includes(profile));
        const waits = condition !== 'service_healthy' || healthcheck !== undefined;
        expect({ name, other, starts, waits }).toStrictEqual({
          name,
          other,
          starts: true,
          waits: true,
        });
      }
  });

  it('gives the key of the authority to no service but the one that makes certificates, and the node no other than its own', () => {
    const holders = (volume: string) =>
      SERVICES.filter(([, { volumes = [] }]) => volumes.map(volumeOf).includes(volume)).map(
        ([name]) => name,
      );
    expect(holders('event-store-authority-key')).toStrictEqual(['event-store-certificates']);
    expect(holders('event-store-certificates')).toStrictEqual([
      'event-store-certificates',
      'event-store-secure',
    ]);
    const trusting = OURS.map(([name]) => name);
    expect(holders('event-store-authority')).toStrictEqual(expect.arrayContaining(trusting));
  });
});

const volumeOf = (mount: string): string => mount.split(':')[0] ?? '';
