import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mintToken } from '#platform/auth/mint-token.js';
import type { Role } from '#platform/auth/roles.js';
import { type Program, startProgram } from './children.js';
import type { Setting } from './setting.js';

export interface RunningService {
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  tokenOf(sub: string, roles: Role[]): Promise<string>;
  send(method: string, path: string, body: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

const newKey = (): string => randomBytes(32).toString('base64');

const newBundleKey = (): string =>
  generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64');

export interface ServiceOptions {
  /** `pass-through` for a service whose privacy gate scans nothing. */
  readonly gate?: 'product' | 'pass-through';
  /** The URL of the database; by default a new one. */
  readonly database?: string;
  /** By default new ones. */
  readonly keys?: ReturnType<typeof newKeys>;
  /** Further settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The keys of an installation, which all its processes share. */
export const newKeys = () => ({
  MACE_JWT_SECRET: newKey(),
  MACE_SIGNING_KEY: newKey(),
  MACE_SEALING_KEY: newKey(),
  MACE_BUNDLE_KEY: newBundleKey(),
});

const serversOf = async (setting: Setting, database?: string) => ({
  NODE_ENV: 'production',
  MACE_DATA_DIR: await mkdtemp(join(setting.dataDir, 'service-')),
  MACE_EVENTSTORE_URL: setting.eventStoreUrl,
  MACE_POSTGRES_URL: database ?? (await setting.newDatabase()),
  MACE_LOG_LEVEL: 'warn',
});

/** Starts a process that projects for services with these keys. */
export const startProjectorOn = async (
  setting: Setting,
  { database, keys }: Required<Pick<ServiceOptions, 'database' | 'keys'>>,
): Promise<Program> => {
  const env = { ...(await serversOf(setting, database)), ...keys };
  return startProgram('programs/projector.js', env, /^Projecting /);
};

/**
 * Starts the service in its own process, on the setting's event store and a new database, and waits until its read
 * models show the whole log.
 */
export async function startServiceOn(
  setting: Setting,
  { gate = 'product', database, keys = newKeys(), env = {} }: ServiceOptions = {},
): Promise<RunningService> {
  const program = await startProgram('bench/service/main.js', {
    ...(await serversOf(setting, database)),
    PORT: '0',
    ...keys,
    BENCH_GATE: gate,
    ...env,
  });
  const jwtSecret = keys.MACE_JWT_SECRET;
  await untilReady(program.url);
  const tokenOf = (sub: string, roles: Role[]) =>
    mintToken({ jwtSecret }, { sub, roles, ttl: 86_400 });
  const token = await tokenOf('bench', ['agent', 'admin']);
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${program.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return { ...program, token, tokenOf, send };
}

/** Returns the resident memory of a service in megabytes. */
export async function memoryOf(service: RunningService): Promise<number> {
  const [bytes] = await metricOf(service, 'process_resident_memory_bytes');
  return (bytes ?? 0) / 1_000_000;
}

/** Returns the values of a metric. */
export async function metricOf({ url }: RunningService, name: string): Promise<number[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/health/ready`)).ok) await delay(100);
}
