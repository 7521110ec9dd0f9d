import { afterAll, describe, expect, it } from '@jest/globals';
import { BadConfig } from '#platform/config/bad-config.js';
import { readConfig } from '#platform/config/service-config.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('The environment variables of ReflectiveLogs', () => {
  const folder = temporaryFolder('reflective-config');
  afterAll(() => folder.remove());
  const read = (environment: Record<string, string>) =>
    readConfig({ MACE_DATA_DIR: folder.path, ...environment });

  it('L2 replaced keys are separated by commas; a weak key stops the start, and the error message does not show the key', async () => {
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

  it('L1 the setting for the artifact store accepts only a bucket URL', async () => {
    const { artifactsUrl } = await read({ MACE_ARTIFACTS_URL: 's3://mace-logs/outputs' });
    expect(artifactsUrl).toBe('s3://mace-logs/outputs');
    for (const bad of ['http://bucket', 's3://', 's3://UPPER/x', 'outputs'])
      await expect(read({ MACE_ARTIFACTS_URL: bad })).rejects.toMatchObject({
        name: 'BadConfig',
        message: expect.stringMatching(/^MACE_ARTIFACTS_URL/),
      });
  });
});
