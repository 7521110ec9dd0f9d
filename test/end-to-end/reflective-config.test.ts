import { afterAll, describe, expect, it } from '@jest/globals';
import { BadConfig } from '#platform/config/bad-config.js';
import { readConfig } from '#platform/config/service-config.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('The environment of ReflectiveLogs', () => {
  const folder = temporaryFolder('reflective-config');
  afterAll(() => folder.remove());
  const read = (environment: Record<string, string>) =>
    readConfig({ MACE_DATA_DIR: folder.path, ...environment });

  it('L2 accepts replaced keys separated by commas, and stops the start for a weak one without showing it', async () => {
    const keys = ['sign:Tz5pQ9xLm2WvK8rJd4Hc', 'sign:Gb7nS3fYu6Ea0iXo1Rt'].map(
      (key) => `${key}-Zq1Wm8`,
    );
    const strong = keys.map((key) => `${key}-Pd4Vk6Ln`);
    const { oldSigningKeys } = await read({ MACE_SIGNING_KEYS_OLD: strong.join(', ') });
    expect(oldSigningKeys).toStrictEqual(strong);
    expect((await read({})).oldSigningKeys).toStrictEqual([]);
    for (const weak of ['short', 'a'.repeat(40), 'change-me-change-me-change-me-please']) {
      const reading = read({ MACE_SIGNING_KEYS_OLD: `${strong[0]},${weak}` });
      await expect(reading).rejects.toThrow(BadConfig);
      await expect(reading).rejects.toThrow('MACE_SIGNING_KEYS_OLD');
      await expect(reading).rejects.not.toThrow(weak);
    }
  });

  it('L1 accepts a bucket URL for artifacts, and nothing else', async () => {
    const { artifactsUrl } = await read({ MACE_ARTIFACTS_URL: 's3://mace-logs/outputs' });
    expect(artifactsUrl).toBe('s3://mace-logs/outputs');
    for (const bad of ['http://bucket', 's3://', 's3://UPPER/x', 'outputs'])
      await expect(read({ MACE_ARTIFACTS_URL: bad })).rejects.toMatchObject({
        name: 'BadConfig',
        message: expect.stringMatching(/^MACE_ARTIFACTS_URL/),
      });
  });
});
