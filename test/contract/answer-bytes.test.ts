import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const ANSWER_BYTES = '#apps/api/memory-contract/answer-bytes.js';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The append takes 50 ms. During this time JSON.stringify fails, because JSON cannot represent a BigInt.
 */
const PROGRAM = `
  const { answerBytes } = await import('${ANSWER_BYTES}');
  const body = answerBytes({ items: [1n], trace: [] }, {});
  await new Promise((appended) => setTimeout(appended, 50));
  await body.catch(({ name }) => console.log(name));
`;

test('an answer that cannot be made into JSON during the append fails its request, but does not end the process', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toBe('TypeError\n');
});
