import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { BadConfig } from '#platform/config/bad-config.js';
import { readConfig } from '#platform/config/service-config.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('The environment of ReflectiveLogs', () => {
  const folder = temporaryFolder('reflective-config');
  after(() => folder.remove());
  const read = (environment: Record<string, string>) =>
    readConfig({ MACE_DATA_DIR: folder.path, ...environment });

  it('L2 takes replaced keys between commas, and stops the start at a weak one without showing it', async () => {
    const keys = ['sign:Tz5pQ9xLm2WvK8rJd4Hc', 'sign:Gb7nS3fYu6Ea0iXo1Rt'].map(
      (key) => `${key}-Zq1Wm8`,
    );
    const strong = keys.map((key) => `${key}-Pd4Vk6Ln`);
    const { oldSigningKeys } = await read({ MACE_SIGNING_KEYS_OLD: strong.join(', ') });
    assert.deepEqual(oldSigningKeys, strong);
    assert.deepEqual((await read({})).oldSigningKeys, []);
    for (const weak of ['short', 'a'.repeat(40), 'change-me-change-me-change-me-please'])
      await assert.rejects(
        read({ MACE_SIGNING_KEYS_OLD: `${strong[0]},${weak}` }),
        (error) =>
          error instanceof BadConfig &&
          error.message.includes('MACE_SIGNING_KEYS_OLD') &&
          !error.message.includes(weak),
      );
  });

  it('L1 takes a bucket for artifacts, and nothing else', async () => {
    const { artifactsUrl } = await read({ MACE_ARTIFACTS_URL: 's3://mace-logs/outputs' });
    assert.equal(artifactsUrl, 's3://mace-logs/outputs');
    for (const bad of ['http://bucket', 's3://', 's3://UPPER/x', 'outputs'])
      await assert.rejects(
        read({ MACE_ARTIFACTS_URL: bad }),
        (error) => error instanceof BadConfig && error.message.startsWith('MACE_ARTIFACTS_URL'),
      );
  });
});
