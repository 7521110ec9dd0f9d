import { LANGUAGE_NAMES, type LanguageName } from '#domain/search/languages/language.js';
import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { s3PlaceOf } from '#artifacts/s3-place.js';
import { BadConnectionString, parseConnectionString } from '#event-store/connection-string.js';
import { DEFAULT_RULES, ruleSetOf, type RuleSet } from '#domain/privacy/rule-set.js';
import { BadConfig } from './bad-config.js';
import { type CheckpointConfig, readCheckpointConfig } from './checkpoint-config.js';
import { bundleKeyOf, checkBundleKey, checkOldBundleKey } from './bundle-key.js';
import type { DataFolder } from './kept-data.js';
import { checkKey, keysOf } from './keys.js';
import { type OpenIdConfig, readOpenId } from './open-id.js';
import { readLanguageModels, type LanguageModelsConfig } from './language-models.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The claims by which a token names this service and its issuer; undefined is not checked. */
export interface TokenParties {
  /** `aud`: the service for which the token was made. */
  readonly audience?: string | undefined;
  /** `iss`: the issuer of the token. */
  readonly issuer?: string | undefined;
}

/**
 * How tokens are verified: with a shared secret (HS256), or with the key set that an issuer publishes. An
 * issuer makes tokens for other services too, so its tokens must name this service (SPEC §13).
 */
export type TokenKeys =
  | (TokenParties & { readonly jwtSecret: string })
  | { readonly jwksUrl: string; readonly audience: string; readonly issuer: string };

export interface ReviewWebhook {
  readonly url: string;
  /** The key of the HMAC that signs each notice. */
  readonly secret: string;
}

/** All settings from the environment (SPEC §13). They are read and checked once, at the start. */
export interface ServiceConfig {
  readonly host: string;
  /** The port; 0 means any free port. */
  readonly port: number;
  /** The data directory, as an absolute path. */
  readonly dataDir: string;
  /** `s3://bucket/prefix`; if undefined, artifacts are files in the data directory. */
  readonly artifactsUrl: string | undefined;
  /** Minutes between two checks of all ReflectiveLog rows (SPEC L5); 0 means only on request. */
  readonly verifyLogsMinutes: number;
  /** Minutes between two verifications of the whole event log (SPEC I6); 0 means only on request. */
  readonly verifyEventLogMinutes: number;
  /** Hours between two comparisons of all rows of a read model with the log; 0 means only on request. */
  readonly compareRowsHours: number;
  /** When the service makes checkpoints of the log, and where it keeps them. */
  readonly checkpoints: CheckpointConfig;
  /** The URL of the event store; if undefined, the embedded node is started. */
  readonly eventStoreUrl: string | undefined;
  /** The ms after which a silent event store counts as failed, and another node is looked for. */
  readonly eventStoreTimeoutMs: number;
  /** The maximum bytes of the embedded node's events. If undefined, only the disk is the limit. */
  readonly eventStoreQuotaBytes: number | undefined;
  /** The URL of Postgres; if undefined, the embedded Postgres is started. */
  readonly postgresUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly tokenKeys: TokenKeys;
  /** The provider by which people sign in to the console; undefined without one. */
  readonly openId: OpenIdConfig | undefined;
  readonly signingKey: string;
  /** Earlier signing keys, with which old signatures are still verified (SPEC L2). */
  readonly oldSigningKeys: readonly string[];
  readonly sealingKey: string;
  /** Earlier sealing keys. What they sealed is still opened (SPEC P5). */
  readonly oldSealingKeys: readonly string[];
  /** The Ed25519 private key that signs bundles (SPEC X4). */
  readonly bundleKey: KeyObject;
  /** Public keys of earlier bundle keys, each as the `x` of its JWK; they stay listed. */
  readonly oldBundleKeys: readonly string[];
  readonly logLevel: LogLevel;
  /** Which process runs the projections. `internal`: this one; `external`: apps/projector. */
  readonly projections: 'internal' | 'external';
  /** The number of council votes that decide a request (SPEC G2). */
  readonly councilQuorum: number;
  /** The days for which data is kept before an erasure without a legal reason (SPEC G6). */
  readonly retentionDays: number;
  /** The hours until a request without a decision expires (SPEC G2). */
  readonly requestExpiryHours: number;
  /** The receiver of notices about waiting requests (SPEC G9); undefined means no notices. */
  readonly reviewWebhook: ReviewWebhook | undefined;
  /** The maximum number of requests per minute for each `sub` (the subject of a token); undefined means no limit. */
  readonly rateLimitPerMinute: number | undefined;
  /** The ms in which a whole request, its body included, must arrive. */
  readonly requestTimeoutMs: number;
  /** The maximum number of open HTTP connections. */
  readonly maxConnections: number;
  /** Host names under which clients of MCP reach the service, beside HOST and those of this machine. */
  readonly mcpHosts: readonly string[];
  /** The rules of the privacy detector, with the regions of national phone forms (SPEC P1). */
  readonly privacyRules: RuleSet;
  /** The URL of a recogniser with the interface of Presidio's analyzer. */
  readonly privacyRecogniserUrl: string | undefined;
  /** The language of the texts that the search index has (SPEC Q2). */
  readonly searchLanguage: LanguageName;
  /** The language models, and the council members that ask one (SPEC A1, A3). */
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

/** Reads a URL with one of the schemes. Errors do not show the URL, because it may contain a password. */
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

/** Reads the event store's connection string. Errors do not show it, because it may contain a password. */
function connectionString(env: Environment, name: string): string | undefined {
  const text = settingOf(env, name);
  if (text === undefined) return undefined;
  try {
    parseConnectionString(text);
  } catch (error) {
    if (!(error instanceof BadConnectionString)) throw error;
    throw new BadConfig(`${name} cannot be used: ${error.message}`);
  }
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

/** Returns the host names in MACE_MCP_HOSTS, as they stand in a URL: in lower case, IPv6 in brackets. */
function mcpHosts(env: Environment): string[] {
  const names = settingOf(env, 'MACE_MCP_HOSTS')?.split(',') ?? [];
  return names.map((name) => {
    const text = name.trim();
    const address = `http://${text.includes(':') ? `[${text}]` : text}`;
    if (!HOST.test(text) || !URL.canParse(address))
      throw new BadConfig(
        `MACE_MCP_HOSTS must be host names without ports, separated by commas; one of them is ${JSON.stringify(text)}.`,
      );
    return new URL(address).hostname;
  });
}

export const tokenPartiesOf = (env: Environment): TokenParties => ({
  audience: settingOf(env, 'MACE_JWT_AUDIENCE'),
  issuer: settingOf(env, 'MACE_JWT_ISSUER'),
});

/**
 * Returns how the environment says that tokens are verified. With an issuer, it must also name the audience
 * and the issuer (SPEC §13).
 */
function givenTokenKeys(env: Environment, jwtSecret: string | undefined): TokenKeys | undefined {
  const jwksUrl = url(env, 'MACE_JWKS_URL', ['https', 'http']);
  const { audience, issuer } = tokenPartiesOf(env);
  if (jwksUrl === undefined)
    return jwtSecret === undefined ? undefined : { jwtSecret, audience, issuer };
  if (jwtSecret !== undefined)
    throw new BadConfig('Set MACE_JWT_SECRET or MACE_JWKS_URL, not both.');
  if (audience === undefined || issuer === undefined)
    throw new BadConfig(
      `${audience === undefined ? 'MACE_JWT_AUDIENCE' : 'MACE_JWT_ISSUER'} must be set if MACE_JWKS_URL is set, because the issuer makes tokens for other services too.`,
    );
  return { jwksUrl, audience, issuer };
}

interface GivenKeys {
  readonly tokenKeys: TokenKeys | undefined;
  readonly tokenParties: TokenParties;
  readonly signingKey: string | undefined;
  readonly sealingKey: string | undefined;
  readonly bundleKey: KeyObject | undefined;
}

function givenKeys(env: Environment): GivenKeys {
  const key = (name: string): string | undefined => {
    const text = settingOf(env, name);
    return text === undefined ? undefined : checkKey(name, text);
  };
  const bundleKey = settingOf(env, 'MACE_BUNDLE_KEY');
  return {
    tokenKeys: givenTokenKeys(env, key('MACE_JWT_SECRET')),
    tokenParties: tokenPartiesOf(env),
    signingKey: key('MACE_SIGNING_KEY'),
    sealingKey: key('MACE_SEALING_KEY'),
    bundleKey: bundleKey === undefined ? undefined : checkBundleKey('MACE_BUNDLE_KEY', bundleKey),
  };
}

function reviewWebhook(env: Environment): ReviewWebhook | undefined {
  const [urlName, secretName] = ['MACE_REVIEW_WEBHOOK_URL', 'MACE_REVIEW_WEBHOOK_SECRET'];
  const text = url(env, urlName, ['https', 'http']);
  const secret = settingOf(env, secretName);
  if (text === undefined) {
    if (secret !== undefined) throw new BadConfig(`${secretName} is set without ${urlName}.`);
    return undefined;
  }
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || parsed.username !== '' || parsed.password !== '')
    throw new BadConfig(`${urlName} must be a URL without user and password.`);
  return { url: text, secret: checkKey(secretName, secret) };
}

/** Reads the regions whose national phone forms the detector knows. Fails with BadConfig. */
export function privacyRules(env: Environment): RuleSet {
  const name = 'MACE_PRIVACY_REGIONS';
  const text = settingOf(env, name);
  if (text === undefined) return DEFAULT_RULES;
  try {
    return ruleSetOf(text.split(',').map((region) => region.trim()));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BadConfig(
      `${name} must be codes of regions separated by commas, such as US,GB: ${error.message}.`,
    );
  }
}

function artifactsUrl(env: Environment): string | undefined {
  const text = url(env, 'MACE_ARTIFACTS_URL', ['s3']);
  if (text !== undefined && s3PlaceOf(text) === undefined)
    throw new BadConfig('MACE_ARTIFACTS_URL must be s3://bucket or s3://bucket/prefix.');
  return text;
}

/** Reads keys that are separated by commas. `check` fails with the name of a bad key. */
const oldKeys = (
  env: Environment,
  name: string,
  check: (name: string, key: string) => string,
): string[] =>
  (settingOf(env, name) ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map((key) => check(`each key of ${name}`, key));

type CompleteKeys = Pick<ServiceConfig, 'tokenKeys' | 'signingKey' | 'sealingKey' | 'bundleKey'>;

/**
 * Takes missing keys from the data directory if a server is embedded. Otherwise a missing key fails with
 * BadConfig.
 */
async function completeKeys(
  keys: GivenKeys,
  dataDir: string,
  embedded: readonly DataFolder[],
): Promise<CompleteKeys> {
  const { tokenKeys, signingKey, sealingKey, bundleKey } = keys;
  if (embedded.length === 0) {
    const missing = missingKey(keys);
    if (missing !== undefined)
      throw new BadConfig(
        `${missing} must be set if MACE_EVENTSTORE_URL and MACE_POSTGRES_URL are set: every instance needs the same key.`,
      );
  }
  const secrets =
    tokenKeys !== undefined && signingKey !== undefined && sealingKey !== undefined
      ? { tokenKeys, signingKey, sealingKey }
      : await keptSecrets(keys, dataDir, embedded);
  return { ...secrets, bundleKey: bundleKey ?? (await bundleKeyOf(dataDir)) };
}

function missingKey({
  tokenKeys,
  signingKey,
  sealingKey,
  bundleKey,
}: GivenKeys): string | undefined {
  if (signingKey === undefined) return 'MACE_SIGNING_KEY';
  if (sealingKey === undefined) return 'MACE_SEALING_KEY';
  if (tokenKeys === undefined) return 'MACE_JWT_SECRET or MACE_JWKS_URL';
  return bundleKey === undefined ? 'MACE_BUNDLE_KEY' : undefined;
}

async function keptSecrets(
  { tokenKeys, tokenParties, signingKey, sealingKey }: GivenKeys,
  dataDir: string,
  embedded: readonly DataFolder[],
) {
  const kept = await keysOf(dataDir, embedded);
  return {
    tokenKeys: tokenKeys ?? { jwtSecret: kept.jwtSecret, ...tokenParties },
    signingKey: signingKey ?? kept.signingKey,
    sealingKey: sealingKey ?? kept.sealingKey,
  };
}

/** File systems of the kernel. In some of them Node waits for ever for a new folder. */
const OF_KERNEL = /^\/(?:proc|sys)(?:\/|$)/;

/** Returns the data directory of an environment as an absolute path. */
export function dataDirOf(env: Environment): string {
  const dataDir = resolve(settingOf(env, 'MACE_DATA_DIR') ?? '.mace');
  if (OF_KERNEL.test(dataDir))
    throw new BadConfig(`MACE_DATA_DIR ${dataDir} keeps no files: name a folder on a disk.`);
  return dataDir;
}

/** Reads and checks the whole environment. Fails with BadConfig, which names the wrong setting. */
export async function readConfig(env: Environment): Promise<ServiceConfig> {
  refuseUnfinishedRestore(dataDirOf(env));
  const open = {
    host: host(env),
    port: wholeNumber(env, 'PORT', { min: 0, max: 65_535 }) ?? 3000,
    dataDir: dataDirOf(env),
    eventStoreUrl: connectionString(env, 'MACE_EVENTSTORE_URL'),
    eventStoreTimeoutMs:
      wholeNumber(env, 'MACE_EVENTSTORE_TIMEOUT_MS', { min: 500, max: 60_000 }) ?? 5_000,
    eventStoreQuotaBytes: wholeNumber(env, 'MACE_EVENTSTORE_QUOTA_BYTES', {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
    postgresUrl: url(env, 'MACE_POSTGRES_URL', ['postgres', 'postgresql']),
    artifactsUrl: artifactsUrl(env),
    verifyLogsMinutes: wholeNumber(env, 'MACE_VERIFY_LOGS_MINUTES', { min: 0, max: 10_080 }) ?? 60,
    verifyEventLogMinutes:
      wholeNumber(env, 'MACE_VERIFY_EVENT_LOG_MINUTES', { min: 0, max: 10_080 }) ?? 60,
    compareRowsHours: wholeNumber(env, 'MACE_COMPARE_ROWS_HOURS', { min: 0, max: 8_760 }) ?? 168,
    checkpoints: readCheckpointConfig(env),
    oldSigningKeys: oldKeys(env, 'MACE_SIGNING_KEYS_OLD', checkKey),
    oldSealingKeys: oldKeys(env, 'MACE_SEALING_KEYS_OLD', checkKey),
    oldBundleKeys: oldKeys(env, 'MACE_BUNDLE_KEYS_OLD', checkOldBundleKey),
    redisUrl: url(env, 'MACE_REDIS_URL', ['redis', 'rediss']),
    logLevel: oneOf(env, 'MACE_LOG_LEVEL', LOG_LEVELS, 'info'),
    projections: oneOf(env, 'MACE_PROJECTIONS', ['internal', 'external'] as const, 'internal'),
    privacyRules: privacyRules(env),
    searchLanguage: oneOf(env, 'MACE_SEARCH_LANGUAGE', LANGUAGE_NAMES, 'english'),
    privacyRecogniserUrl: url(env, 'MACE_PRIVACY_RECOGNISER_URL', ['http', 'https']),
    councilQuorum: wholeNumber(env, 'MACE_COUNCIL_QUORUM', { min: 1, max: 1000 }) ?? 1,
    retentionDays: wholeNumber(env, 'MACE_RETENTION_DAYS', { min: 0, max: 36_500 }) ?? 90,
    requestExpiryHours:
      wholeNumber(env, 'MACE_REQUEST_EXPIRY_HOURS', { min: 1, max: 87_600 }) ?? 168,
    reviewWebhook: reviewWebhook(env),
    rateLimitPerMinute: wholeNumber(env, 'MACE_RATE_LIMIT_PER_MINUTE', {
      min: 1,
      max: 100_000_000,
    }),
    requestTimeoutMs:
      wholeNumber(env, 'MACE_REQUEST_TIMEOUT_MS', { min: 500, max: 600_000 }) ?? 30_000,
    maxConnections: wholeNumber(env, 'MACE_MAX_CONNECTIONS', { min: 1, max: 1_000_000 }) ?? 4_096,
    mcpHosts: mcpHosts(env),
    languageModels: readLanguageModels(env),
  };
  const embedded: DataFolder[] = [
    ...(open.eventStoreUrl === undefined ? (['event-store'] as const) : []),
    ...(open.postgresUrl === undefined ? (['postgres'] as const) : []),
  ];
  const given = givenKeys(env);
  const { tokenKeys } = given;
  const issuersAudience =
    tokenKeys !== undefined && 'jwksUrl' in tokenKeys ? tokenKeys.audience : undefined;
  const openId = readOpenId(env, issuersAudience);
  return { ...open, openId, ...(await completeKeys(given, open.dataDir, embedded)) };
}
