import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mintToken } from '#platform/auth/mint-token.js';
import type { Role } from '#platform/auth/roles.js';
import { startProgram } from './children.js';
import type { Setting } from './setting.js';

export interface RunningService {
  readonly url: string;
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
  /** Further settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the service in its own process, on the setting's event store and a new database, and waits until its read
 * models show the whole log.
 */
export async function startServiceOn(
  setting: Setting,
  { gate = 'product', database, env = {} }: ServiceOptions = {},
): Promise<RunningService> {
  const jwtSecret = newKey();
  const program = await startProgram('bench/service/main.js', {
    NODE_ENV: 'production',
    PORT: '0',
    MACE_DATA_DIR: await mkdtemp(join(setting.dataDir, 'service-')),
    MACE_EVENTSTORE_URL: setting.eventStoreUrl,
    MACE_POSTGRES_URL: database ?? (await setting.newDatabase()),
    MACE_JWT_SECRET: jwtSecret,
    MACE_SIGNING_KEY: newKey(),
    MACE_SEALING_KEY: newKey(),
    MACE_BUNDLE_KEY: newBundleKey(),
    MACE_LOG_LEVEL: 'warn',
    BENCH_GATE: gate,
    ...env,
  });
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
