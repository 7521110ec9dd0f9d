import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadConfig } from '#platform/config/bad-config.js';
import { readConfig } from '#platform/config/service-config.js';

const GOOD_KEY = 'u3Vn0cK2hQ7wLr9tZx5yBm8dPf4gJs6a';

describe('The environment', () => {
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

  it('stops the start with a message that names the bad variable', async () => {
    await stopsTheStart({ PORT: '80a' }, /^PORT must be a whole number from 0 to 65535/);
    await stopsTheStart({ PORT: '65536' }, /^PORT /);
    await stopsTheStart({ PORT: '-1' }, /^PORT /);
    await stopsTheStart({ HOST: 'a host' }, /^HOST /);
    await stopsTheStart({ MACE_EVENTSTORE_URL: 'http://x' }, /^MACE_EVENTSTORE_URL /);
    await stopsTheStart({ MACE_POSTGRES_URL: 'mysql://x' }, /^MACE_POSTGRES_URL /);
    await stopsTheStart({ MACE_REDIS_URL: 'localhost' }, /^MACE_REDIS_URL /);
    await stopsTheStart({ MACE_JWKS_URL: 'ftp://x' }, /^MACE_JWKS_URL /);
    await stopsTheStart({ MACE_LOG_LEVEL: 'loud' }, /^MACE_LOG_LEVEL must be one of/);
    await stopsTheStart({ MACE_PROJECTIONS: 'yes' }, /^MACE_PROJECTIONS /);
    await stopsTheStart({ MACE_COUNCIL_QUORUM: '0' }, /^MACE_COUNCIL_QUORUM /);
    await stopsTheStart({ MACE_REQUEST_EXPIRY_HOURS: '1.5' }, /^MACE_REQUEST_EXPIRY_HOURS /);
    await stopsTheStart({ MACE_RATE_LIMIT_PER_MINUTE: '0' }, /^MACE_RATE_LIMIT_PER_MINUTE /);
    await stopsTheStart({ MACE_EVENTSTORE_QUOTA_BYTES: '2 GB' }, /^MACE_EVENTSTORE_QUOTA_BYTES /);
  });

  it('stops the start for a weak or default key, without showing the key', async () => {
    for (const weak of ['short', 'a'.repeat(40), 'change-me-change-me-change-me-please'])
      for (const name of ['MACE_SIGNING_KEY', 'MACE_SEALING_KEY', 'MACE_JWT_SECRET']) {
        const reading = readConfig({ MACE_DATA_DIR: dataDir, [name]: weak });
        await expect(reading).rejects.toThrow(BadConfig);
        await expect(reading).rejects.toThrow(new RegExp(`^${name} `));
        await expect(reading).rejects.not.toThrow(weak);
      }
  });

  it('never shows a URL that may contain a password', async () => {
    await expect(
      readConfig({ MACE_DATA_DIR: dataDir, MACE_POSTGRES_URL: 'mysql://u:hunter2@h/d' }),
    ).rejects.toMatchObject({ message: expect.not.stringContaining('hunter2') });
  });

  it('requires the keys if both servers are external, because every instance needs the same keys', async () => {
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
  });

  it('stores missing keys in the data directory: generated once, mode 0600, reused later', async () => {
    const [first, second] = await Promise.all([
      readConfig({ MACE_DATA_DIR: dataDir }),
      readConfig({ MACE_DATA_DIR: dataDir }),
    ]);
    expect(first.signingKey).toBe(second.signingKey);
    expect(first.tokenKeys).toStrictEqual((await readConfig({ MACE_DATA_DIR: dataDir })).tokenKeys);
    expect((await stat(join(dataDir, 'keys.json'))).mode & 0o777).toBe(0o600);
    expect(first.port).toBe(3000);
    expect(first.host).toBe('127.0.0.1');
  });

  it('stops the start if other users can read the stored keys', async () => {
    await readConfig({ MACE_DATA_DIR: dataDir });
    await chmod(join(dataDir, 'keys.json'), 0o644);
    await stopsTheStart({}, /keys\.json .* chmod 600/);
    await chmod(join(dataDir, 'keys.json'), 0o600);
  });
});
