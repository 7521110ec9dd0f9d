import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadConfig } from '#platform/config/bad-config.js';
import { readConfig } from '#platform/config/service-config.js';
import { TEST_KEYS } from '#test/support/test-keys.js';

const GOOD_KEY = 'u3Vn0cK2hQ7wLr9tZx5yBm8dPf4gJs6a';

describe('The environment variables of the service', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mace-config-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  const stopsTheStart = (environment: Record<string, string>, sentence: RegExp): Promise<void> =>
    expect(readConfig({ MACE_DATA_DIR: dataDir, ...environment })).rejects.toMatchObject({
      name: 'BadConfig',
      message: expect.stringMatching(sentence),
    });

  it('a bad variable stops the start with a message that names the variable', async () => {
    await stopsTheStart({ PORT: '80a' }, /^PORT must be a whole number from 0 to 65535/);
    await stopsTheStart({ PORT: '65536' }, /^PORT /);
    await stopsTheStart(
      { MACE_DATA_DIR: '/proc/mace' },
      /^MACE_DATA_DIR \/proc\/mace keeps no files/,
    );
    await stopsTheStart({ PORT: '-1' }, /^PORT /);
    await stopsTheStart({ HOST: 'a host' }, /^HOST /);
    await stopsTheStart({ MACE_EVENTSTORE_URL: 'http://x' }, /^MACE_EVENTSTORE_URL /);
    await stopsTheStart(
      { MACE_EVENTSTORE_URL: 'esdb+discover://a,b?tls=false' },
      /^MACE_EVENTSTORE_URL cannot be used: .* Write several hosts as esdb:\/\/a:2113,b:2113\.$/,
    );
    await stopsTheStart({ MACE_POSTGRES_URL: 'mysql://x' }, /^MACE_POSTGRES_URL /);
    await stopsTheStart({ MACE_REDIS_URL: 'localhost' }, /^MACE_REDIS_URL /);
    await stopsTheStart({ MACE_JWKS_URL: 'ftp://x' }, /^MACE_JWKS_URL /);
    await stopsTheStart({ MACE_LOG_LEVEL: 'loud' }, /^MACE_LOG_LEVEL must be one of/);
    await stopsTheStart({ MACE_PROJECTIONS: 'yes' }, /^MACE_PROJECTIONS /);
    await stopsTheStart({ MACE_SEARCH_LANGUAGE: 'klingon' }, /^MACE_SEARCH_LANGUAGE /);
    await stopsTheStart({ MACE_PRIVACY_REGIONS: 'US,XX' }, /^MACE_PRIVACY_REGIONS .*"XX"/);
    await stopsTheStart({ MACE_PRIVACY_RECOGNISER_URL: 'x' }, /^MACE_PRIVACY_RECOGNISER_URL /);
    await stopsTheStart({ MACE_COUNCIL_QUORUM: '0' }, /^MACE_COUNCIL_QUORUM /);
    await stopsTheStart({ MACE_REQUEST_EXPIRY_HOURS: '1.5' }, /^MACE_REQUEST_EXPIRY_HOURS /);
    await stopsTheStart({ MACE_RATE_LIMIT_PER_MINUTE: '0' }, /^MACE_RATE_LIMIT_PER_MINUTE /);
    await stopsTheStart({ MACE_MCP_HOSTS: 'memory.example,a b' }, /^MACE_MCP_HOSTS .*"a b"/);
    await stopsTheStart({ MACE_MCP_HOSTS: 'memory.example:80' }, /^MACE_MCP_HOSTS /);
    await stopsTheStart({ MACE_EVENTSTORE_TIMEOUT_MS: '5 s' }, /^MACE_EVENTSTORE_TIMEOUT_MS /);
    await stopsTheStart({ MACE_EVENTSTORE_TIMEOUT_MS: '10' }, /^MACE_EVENTSTORE_TIMEOUT_MS /);
    await stopsTheStart({ MACE_EVENTSTORE_QUOTA_BYTES: '2 GB' }, /^MACE_EVENTSTORE_QUOTA_BYTES /);
  });

  it('G9 the review webhook needs a URL without a password, and a secret that is hard to guess', async () => {
    const url = { MACE_REVIEW_WEBHOOK_URL: 'https://review.example/notices' };
    const secret = { MACE_REVIEW_WEBHOOK_SECRET: GOOD_KEY };
    await stopsTheStart(url, /^MACE_REVIEW_WEBHOOK_SECRET must be at least 32 bytes long/);
    await stopsTheStart(secret, /^MACE_REVIEW_WEBHOOK_SECRET is set without/);
    await stopsTheStart(
      { ...url, MACE_REVIEW_WEBHOOK_SECRET: 'change-me-change-me-change-me-please' },
      /^MACE_REVIEW_WEBHOOK_SECRET is easy to guess/,
    );
    for (const bad of ['ftp://x', 'https://', 'https://u:hunter2@review.example/'])
      await stopsTheStart(
        { ...secret, MACE_REVIEW_WEBHOOK_URL: bad },
        /^MACE_REVIEW_WEBHOOK_URL must be a URL(?!.*hunter2)/,
      );
    const config = await readConfig({ MACE_DATA_DIR: dataDir, ...url, ...secret });
    expect(config.reviewWebhook).toStrictEqual({
      url: url.MACE_REVIEW_WEBHOOK_URL,
      secret: GOOD_KEY,
    });
    expect((await readConfig({ MACE_DATA_DIR: dataDir })).reviewWebhook).toBeUndefined();
  });

  it('a weak or default key stops the start, and the message does not show the key', async () => {
    for (const weak of ['short', 'a'.repeat(40), 'change-me-change-me-change-me-please'])
      for (const name of ['MACE_SIGNING_KEY', 'MACE_SEALING_KEY', 'MACE_JWT_SECRET']) {
        const reading = readConfig({ MACE_DATA_DIR: dataDir, [name]: weak });
        await expect(reading).rejects.toThrow(BadConfig);
        await expect(reading).rejects.toThrow(new RegExp(`^${name} `));
        await expect(reading).rejects.not.toThrow(weak);
      }
  });

  it('the message for a bad URL does not show the URL, which may contain a password', async () => {
    await expect(
      readConfig({ MACE_DATA_DIR: dataDir, MACE_POSTGRES_URL: 'mysql://u:hunter2@h/d' }),
    ).rejects.toMatchObject({ message: expect.not.stringContaining('hunter2') });
  });

  it('the keys are required if both servers are external, because every instance needs the same keys', async () => {
    const servers = {
      MACE_EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
      MACE_POSTGRES_URL: 'postgres://127.0.0.1/mace',
    };
    await stopsTheStart(servers, /^MACE_SIGNING_KEY must be set/);
    await stopsTheStart(
      { ...servers, MACE_SIGNING_KEY: GOOD_KEY },
      /^MACE_SEALING_KEY must be set/,
    );
    await stopsTheStart(
      { ...servers, MACE_SIGNING_KEY: GOOD_KEY, MACE_SEALING_KEY: GOOD_KEY },
      /^MACE_JWT_SECRET or MACE_JWKS_URL must be set/,
    );
    const { MACE_BUNDLE_KEY: _, ...others } = TEST_KEYS;
    await stopsTheStart({ ...servers, ...others }, /^MACE_BUNDLE_KEY must be set/);
  });

  it('the audience and the issuer are required with MACE_JWKS_URL, and optional with a secret', async () => {
    const MACE_JWKS_URL = 'https://issuer.test/jwks.json';
    const parties = { MACE_JWT_AUDIENCE: 'memory', MACE_JWT_ISSUER: 'https://issuer.test' };
    await stopsTheStart(
      { MACE_JWKS_URL },
      /^MACE_JWT_AUDIENCE must be set if MACE_JWKS_URL is set/,
    );
    await stopsTheStart(
      { MACE_JWKS_URL, ...parties, MACE_JWT_AUDIENCE: '' },
      /^MACE_JWT_AUDIENCE must be set/,
    );
    await stopsTheStart(
      { MACE_JWKS_URL, ...parties, MACE_JWT_ISSUER: '' },
      /^MACE_JWT_ISSUER must be set if MACE_JWKS_URL is set/,
    );
    await stopsTheStart(
      { MACE_JWKS_URL, MACE_JWT_SECRET: GOOD_KEY, ...parties },
      /^Set MACE_JWT_SECRET or MACE_JWKS_URL, not both/,
    );
    const tokenKeys = async (environment: Record<string, string>) =>
      (await readConfig({ MACE_DATA_DIR: dataDir, ...environment })).tokenKeys;
    const named = { audience: 'memory', issuer: 'https://issuer.test' };
    expect(await tokenKeys({ MACE_JWKS_URL, ...parties })).toStrictEqual({
      jwksUrl: MACE_JWKS_URL,
      ...named,
    });
    expect(await tokenKeys({ MACE_JWT_SECRET: GOOD_KEY, ...parties })).toStrictEqual({
      jwtSecret: GOOD_KEY,
      ...named,
    });
    expect(await tokenKeys(parties)).toMatchObject(named);
    expect(await tokenKeys({})).toMatchObject({ audience: undefined, issuer: undefined });
  });

  it('OpenID Connect needs MACE_JWKS_URL, an https issuer and the id of the client', async () => {
    const tokens = {
      MACE_JWKS_URL: 'https://issuer.test/jwks.json',
      MACE_JWT_AUDIENCE: 'memory',
      MACE_JWT_ISSUER: 'https://issuer.test',
    };
    const issuer = { MACE_OIDC_ISSUER: 'https://issuer.test/realm' };
    const client = { MACE_OIDC_CLIENT_ID: 'console' };
    await stopsTheStart({ ...issuer, ...client }, /^MACE_OIDC_ISSUER needs MACE_JWKS_URL/);
    await stopsTheStart({ ...tokens, ...issuer }, /^MACE_OIDC_CLIENT_ID must be set if/);
    await stopsTheStart({ ...tokens, ...client }, /^MACE_OIDC_CLIENT_ID is set without/);
    await stopsTheStart({ MACE_OIDC_SCOPE: 'openid' }, /^MACE_OIDC_SCOPE is set without/);
    for (const bad of ['issuer.test', 'http://issuer.test', 'https://u:hunter2@issuer.test/'])
      await stopsTheStart(
        { ...tokens, ...client, MACE_OIDC_ISSUER: bad },
        /^MACE_OIDC_ISSUER must be a URL(?!.*hunter2)/,
      );
    await stopsTheStart(
      { ...tokens, ...issuer, ...client, MACE_OIDC_SCOPE: 'openid  "x"' },
      /^MACE_OIDC_SCOPE must be scopes/,
    );
    await stopsTheStart(
      { ...tokens, ...issuer, MACE_OIDC_CLIENT_ID: 'a b' },
      /^MACE_OIDC_CLIENT_ID must be printable/,
    );
    const openId = async (more: Record<string, string>) =>
      (await readConfig({ MACE_DATA_DIR: dataDir, ...tokens, ...more })).openId;
    expect(await openId({})).toBeUndefined();
    expect(await openId({ ...issuer, ...client })).toStrictEqual({
      ...{ issuer: issuer.MACE_OIDC_ISSUER, clientId: 'console', scope: 'openid' },
      audience: 'memory',
    });
  });

  it('missing keys are generated once, stored in the data directory with mode 0600, and reused later', async () => {
    const [first, second] = await Promise.all([
      readConfig({ MACE_DATA_DIR: dataDir }),
      readConfig({ MACE_DATA_DIR: dataDir }),
    ]);
    expect(first.signingKey).toBe(second.signingKey);
    expect(first.tokenKeys).toStrictEqual((await readConfig({ MACE_DATA_DIR: dataDir })).tokenKeys);
    expect(first.bundleKey.equals(second.bundleKey)).toBe(true);
    for (const file of ['keys.json', 'bundle-key.pem'])
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    expect(first.port).toBe(3000);
    expect(first.host).toBe('127.0.0.1');
  });

  it('the service does not start if other users can read its stored keys', async () => {
    await readConfig({ MACE_DATA_DIR: dataDir });
    for (const file of ['keys.json', 'bundle-key.pem']) {
      await chmod(join(dataDir, file), 0o644);
      await stopsTheStart({}, new RegExp(`${file} .* chmod 600`));
      await chmod(join(dataDir, file), 0o600);
    }
  });

  it('a data directory of the release before keeps its keys and gets a bundle key', async () => {
    const older = await mkdtemp(join(dataDir, 'older-'));
    const text = JSON.stringify({
      jwt_secret: GOOD_KEY,
      signing_key: `${GOOD_KEY}1`,
      sealing_key: `${GOOD_KEY}2`,
    });
    await writeFile(join(older, 'keys.json'), text, { mode: 0o600 });
    const config = await readConfig({ MACE_DATA_DIR: older });
    expect(config.signingKey).toBe(`${GOOD_KEY}1`);
    expect(config.bundleKey.asymmetricKeyType).toBe('ed25519');
    expect(await readFile(join(older, 'keys.json'), 'utf8')).toBe(text);
    const again = await readConfig({ MACE_DATA_DIR: older });
    expect(again.bundleKey.equals(config.bundleKey)).toBe(true);
  });

  it('a bundle key is read from one line of base64 or from PEM, also with escaped line feeds', async () => {
    const { MACE_BUNDLE_KEY } = TEST_KEYS;
    const pem = `-----BEGIN PRIVATE KEY-----\n${MACE_BUNDLE_KEY}\n-----END PRIVATE KEY-----\n`;
    const keys: KeyObject[] = [];
    for (const given of [MACE_BUNDLE_KEY, pem, pem.replaceAll('\n', '\\n')])
      keys.push((await readConfig({ ...TEST_KEYS, MACE_BUNDLE_KEY: given })).bundleKey);
    const [first] = keys;
    expect(keys.map((key) => first?.equals(key))).toStrictEqual([true, true, true]);
  });

  it('a bundle key that is not an Ed25519 key stops the start, and the message does not show the key', async () => {
    const type = 'pkcs8';
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const other = curve.export({ type, format: 'der' }).toString('base64');
    for (const wrong of ['short', GOOD_KEY, other]) {
      const reading = readConfig({ MACE_DATA_DIR: dataDir, MACE_BUNDLE_KEY: wrong });
      await expect(reading).rejects.toThrow(/^MACE_BUNDLE_KEY must be an Ed25519 private key/);
      await expect(reading).rejects.not.toThrow(wrong);
    }
    const { MACE_BUNDLE_KEY } = TEST_KEYS;
    for (const wrong of ['short', MACE_BUNDLE_KEY]) {
      const reading = readConfig({ MACE_DATA_DIR: dataDir, MACE_BUNDLE_KEYS_OLD: wrong });
      await expect(reading).rejects.toThrow(/^each key of MACE_BUNDLE_KEYS_OLD must be/);
      await expect(reading).rejects.not.toThrow(wrong);
    }
  });
});
