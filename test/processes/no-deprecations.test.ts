import { expect, test } from '@jest/globals';
import { mace } from '#test/support/cli-run.js';

test('a service, its servers, the SDK and mace use nothing that this Node.js is about to remove', async () => {
  // Each process of the demo ends at its first deprecation warning.
  const { code, stderr } = await mace(['demo'], {
    NODE_OPTIONS: '--throw-deprecation --pending-deprecation',
  });
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
});
