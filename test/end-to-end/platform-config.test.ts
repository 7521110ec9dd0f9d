import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BadConfig } from '#platform/config/bad-config.js';
import { readConfig } from '#platform/config/service-config.js';

const GOOD_KEY = 'u3Vn0cK2hQ7wLr9tZx5yBm8dPf4gJs6a';

describe('The environment', () => {
  let dataDir: string;
  before(async () => (dataDir = await mkdtemp(join(tmpdir(), 'mace-config-'))));
  after(() => rm(dataDir, { recursive: true }));

  const stopsTheStart = (environment: Record<string, string>, sentence: RegExp): Promise<void> =>
    assert.rejects(
      readConfig({ MACE_DATA_DIR: dataDir, ...environment }),
      (error) => error instanceof BadConfig && sentence.test(error.message),
      JSON.stringify(environment),
    );

  it('stops the start with a sentence that names the bad variable', async () => {
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

  it('stops the start at a weak or default key, without showing it', async () => {
    for (const weak of ['short', 'a'.repeat(40), 'change-me-change-me-change-me-please'])
      for (const name of ['MACE_SIGNING_KEY', 'MACE_SEALING_KEY', 'MACE_JWT_SECRET'])
        await assert.rejects(
          readConfig({ MACE_DATA_DIR: dataDir, [name]: weak }),
          (error: Error) => {
            assert.ok(error instanceof BadConfig);
            assert.match(error.message, new RegExp(`^${name} `));
            assert.ok(!error.message.includes(weak));
            return true;
          },
        );
  });

  it('never shows a URL that may hold a password', async () => {
    await assert.rejects(
      readConfig({ MACE_DATA_DIR: dataDir, MACE_POSTGRES_URL: 'mysql://u:hunter2@h/d' }),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });

  it('asks for the keys where both servers run elsewhere, since every instance needs the same', async () => {
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

  it('leaves keys that it does not give to the data dir: made once, mode 0600, the same ever after', async () => {
    const [first, second] = await Promise.all([
      readConfig({ MACE_DATA_DIR: dataDir }),
      readConfig({ MACE_DATA_DIR: dataDir }),
    ]);
    assert.equal(first.signingKey, second.signingKey);
    assert.deepEqual(first.tokenKeys, (await readConfig({ MACE_DATA_DIR: dataDir })).tokenKeys);
    assert.equal((await stat(join(dataDir, 'keys.json'))).mode & 0o777, 0o600);
    assert.equal(first.port, 3000);
    assert.equal(first.host, '127.0.0.1');
  });

  it('stops the start when others can read the kept keys', async () => {
    await readConfig({ MACE_DATA_DIR: dataDir });
    await chmod(join(dataDir, 'keys.json'), 0o644);
    await stopsTheStart({}, /keys\.json .* chmod 600/);
    await chmod(join(dataDir, 'keys.json'), 0o600);
  });
});
