import { afterAll, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const LOCKS = fileURLToPath(new URL('../../scripts/build-lock.mjs', import.meta.url));
const folder = temporaryFolder('build-lock');
afterAll(() => folder.remove());

/** Starts a process that does a work of 300 ms with the lock. Returns its exit code and what it says. */
async function worked(lock: string, log: string): Promise<readonly [unknown, string]> {
  const program = `
    import { appendFileSync } from 'node:fs';
    import { withBuildLock } from ${JSON.stringify(LOCKS)};
    await withBuildLock(${JSON.stringify(lock)}, async () => {
      appendFileSync(${JSON.stringify(log)}, '<');
      await new Promise((resolve) => setTimeout(resolve, 300));
      appendFileSync(${JSON.stringify(log)}, '>');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [unknown];
  return [code, said];
}

it('builds of one checkout run one after another, and one that waits says so', async () => {
  const [lock, log] = [join(folder.path, 'lock'), join(folder.path, 'log')];
  writeFileSync(log, '');
  const ended = await Promise.all([1, 2, 3].map(() => worked(lock, log)));
  expect(ended.map(([code]) => code)).toStrictEqual([0, 0, 0]);
  expect(readFileSync(log, 'utf8')).toBe('<><><>');
  const waiting = ended.filter(([, said]) => /^Waiting for the build of process \d+/.test(said));
  expect(waiting).toHaveLength(2);
});

it('a build takes the place of one that was killed', async () => {
  const [lock, log] = [join(folder.path, 'dead-lock'), join(folder.path, 'dead-log')];
  const { pid } = spawnSync(process.execPath, ['--version']);
  symlinkSync(String(pid), lock);
  expect((await worked(lock, log))[0]).toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('<>');
});
