import { resolve } from 'node:path';
import { isArtifactsUrl } from '#artifacts/index.js';
import { BadConfig } from './bad-config.js';
import { checkKey, keysOf } from './keys.js';
import { readLanguageModels, type LanguageModelsConfig } from './language-models.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The keys that verify tokens: a shared secret (HS256), or the key set that an issuer publishes. */
export type TokenKeys = { readonly jwtSecret: string } | { readonly jwksUrl: string };

/** All settings from the environment (SPEC §13), read and checked once at the start. */
export interface ServiceConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** `s3://bucket/prefix`; unset: files in the data directory. */
  readonly artifactsUrl: string | undefined;
  /** Minutes between two checks of all ReflectiveLog rows (SPEC L5); 0: only on request. */
  readonly verifyLogsMinutes: number;
  /** If unset, the embedded node is started. */
  readonly eventStoreUrl: string | undefined;
  /** The most bytes of the embedded node's events; undefined: limited by the disk. */
  readonly eventStoreQuotaBytes: number | undefined;
  /** If unset, the embedded Postgres is started. */
  readonly postgresUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly tokenKeys: TokenKeys;
  readonly signingKey: string;
  /** Earlier signing keys, which still verify (SPEC L2). */
  readonly oldSigningKeys: readonly string[];
  readonly sealingKey: string;
  readonly logLevel: LogLevel;
  /** `internal`: this process runs the projections; `external`: apps/projector runs them. */
  readonly projections: 'internal' | 'external';
  /** The number of council votes that decide a request (SPEC G2). */
  readonly councilQuorum: number;
  /** The hours until a request without a decision expires (SPEC G2). */
  readonly requestExpiryHours: number;
  /** The most requests per minute and sub; undefined: no limit. */
  readonly rateLimitPerMinute: number | undefined;
  /** The language models, and the council members that call one (SPEC A1, A3). */
  readonly languageModels: LanguageModelsConfig;
}

type Environment = Readonly<Record<string, string | undefined>>;

const settingOf = (env: Environment, name: string): string | undefined =>
  env[name] === undefined || env[name] === '' ? undefined : env[name];

function wholeNumber(
  env: Environment,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const text = settingOf(env, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= range.min && value <= range.max))
    throw new BadConfig(
      `${name} must be a whole number from ${range.min} to ${range.max}; it is ${JSON.stringify(text)}.`,
    );
  return value;
}

function oneOf<Value extends string>(
  env: Environment,
  name: string,
  values: readonly Value[],
  otherwise: Value,
): Value {
  const text = settingOf(env, name) ?? otherwise;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined)
    throw new BadConfig(
      `${name} must be one of ${values.join(', ')}; it is ${JSON.stringify(text)}.`,
    );
  return value;
}

/** Reads a URL with one of the schemes. Errors do not show the value, because it may contain a password. */
function url(env: Environment, name: string, schemes: readonly string[]): string | undefined {
  const text = settingOf(env, name);
  if (text === undefined) return undefined;
  const [scheme, rest] = text.split('://', 2);
  if (!schemes.includes(scheme ?? '') || rest === undefined || rest === '')
    throw new BadConfig(
      `${name} must be a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}.`,
    );
  return text;
}

const HOST = /^[A-Za-z0-9.:_-]{1,255}$/;

function host(env: Environment): string {
  const text = settingOf(env, 'HOST') ?? '127.0.0.1';
  if (!HOST.test(text))
    throw new BadConfig(
      `HOST must be a host name or an IP address; it is ${JSON.stringify(text)}.`,
    );
  return text;
}

interface GivenKeys {
  readonly tokenKeys: TokenKeys | undefined;
  readonly signingKey: string | undefined;
  readonly sealingKey: string | undefined;
}

function givenKeys(env: Environment): GivenKeys {
  const key = (name: string): string | undefined => {
    const text = settingOf(env, name);
    return text === undefined ? undefined : checkKey(name, text);
  };
  const jwksUrl = url(env, 'MACE_JWKS_URL', ['https', 'http']);
  const jwtSecret = key('MACE_JWT_SECRET');
  if (jwksUrl !== undefined && jwtSecret !== undefined)
    throw new BadConfig('Set MACE_JWT_SECRET or MACE_JWKS_URL, not both.');
  return {
    tokenKeys:
      jwksUrl !== undefined ? { jwksUrl } : jwtSecret === undefined ? undefined : { jwtSecret },
    signingKey: key('MACE_SIGNING_KEY'),
    sealingKey: key('MACE_SEALING_KEY'),
  };
}

function artifactsUrl(env: Environment): string | undefined {
  const text = url(env, 'MACE_ARTIFACTS_URL', ['s3']);
  if (text !== undefined && !isArtifactsUrl(text))
    throw new BadConfig('MACE_ARTIFACTS_URL must be s3://bucket or s3://bucket/prefix.');
  return text;
}

/** Reads keys separated by commas; each must meet the rules of the current key. */
const oldKeys = (env: Environment): string[] =>
  (settingOf(env, 'MACE_SIGNING_KEYS_OLD') ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map((key) => checkKey('each key of MACE_SIGNING_KEYS_OLD', key));

type CompleteKeys = Pick<ServiceConfig, 'tokenKeys' | 'signingKey' | 'sealingKey'>;

/** Takes missing keys from the data directory if a server is embedded; otherwise fails with BadConfig. */
async function completeKeys(
  keys: GivenKeys,
  dataDir: string,
  embedded: boolean,
): Promise<CompleteKeys> {
  const { tokenKeys, signingKey, sealingKey } = keys;
  if (tokenKeys !== undefined && signingKey !== undefined && sealingKey !== undefined)
    return { tokenKeys, signingKey, sealingKey };
  if (!embedded) {
    const missing =
      signingKey === undefined
        ? 'MACE_SIGNING_KEY'
        : sealingKey === undefined
          ? 'MACE_SEALING_KEY'
          : 'MACE_JWT_SECRET or MACE_JWKS_URL';
    throw new BadConfig(
      `${missing} must be set if MACE_EVENTSTORE_URL and MACE_POSTGRES_URL are set: every instance needs the same key.`,
    );
  }
  const kept = await keysOf(dataDir);
  return {
    tokenKeys: tokenKeys ?? { jwtSecret: kept.jwtSecret },
    signingKey: signingKey ?? kept.signingKey,
    sealingKey: sealingKey ?? kept.sealingKey,
  };
}

/** Returns the data directory of an environment as an absolute path. */
export const dataDirOf = (env: Environment): string =>
  resolve(settingOf(env, 'MACE_DATA_DIR') ?? '.mace');

/** Reads and checks the whole environment; fails with BadConfig, which names the wrong setting. */
export async function readConfig(env: Environment): Promise<ServiceConfig> {
  const open = {
    host: host(env),
    port: wholeNumber(env, 'PORT', { min: 0, max: 65_535 }) ?? 3000,
    dataDir: dataDirOf(env),
    eventStoreUrl: url(env, 'MACE_EVENTSTORE_URL', [
      'esdb',
      'esdb+discover',
      'kurrentdb',
      'kurrentdb+discover',
    ]),
    eventStoreQuotaBytes: wholeNumber(env, 'MACE_EVENTSTORE_QUOTA_BYTES', {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
    postgresUrl: url(env, 'MACE_POSTGRES_URL', ['postgres', 'postgresql']),
    artifactsUrl: artifactsUrl(env),
    verifyLogsMinutes: wholeNumber(env, 'MACE_VERIFY_LOGS_MINUTES', { min: 0, max: 10_080 }) ?? 60,
    oldSigningKeys: oldKeys(env),
    redisUrl: url(env, 'MACE_REDIS_URL', ['redis', 'rediss']),
    logLevel: oneOf(env, 'MACE_LOG_LEVEL', LOG_LEVELS, 'info'),
    projections: oneOf(env, 'MACE_PROJECTIONS', ['internal', 'external'] as const, 'internal'),
    councilQuorum: wholeNumber(env, 'MACE_COUNCIL_QUORUM', { min: 1, max: 1000 }) ?? 1,
    requestExpiryHours:
      wholeNumber(env, 'MACE_REQUEST_EXPIRY_HOURS', { min: 1, max: 87_600 }) ?? 168,
    rateLimitPerMinute: wholeNumber(env, 'MACE_RATE_LIMIT_PER_MINUTE', {
      min: 1,
      max: 100_000_000,
    }),
    languageModels: readLanguageModels(env),
  };
  const embedded = open.eventStoreUrl === undefined || open.postgresUrl === undefined;
  return { ...open, ...(await completeKeys(givenKeys(env), open.dataDir, embedded)) };
}
