import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pasted } from '#test/support/pasted.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The pages whose commands need nothing but the service and Node. */
const PAGES = ['memory-contract.md', 'notes.md', 'privacy.md', 'runtimes.md', 'search.md'];
/** Commands that need a file of the reader's, or servers that the reader runs. */
const NEEDS_MORE = /npx mace evaluate|psql/;

const textOf = (page: string): string => readFileSync(join(ROOT, 'docs', page), 'utf8');

const commandsOf = (page: string): string =>
  [...textOf(page).matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
    .map(([, commands = '']) => commands)
    .filter((commands) => !NEEDS_MORE.test(commands))
    .join('\n');

describe('The commands of a page of the documentation', () => {
  const folder = temporaryFolder('pages');
  let service: ServiceProcess;
  beforeAll(() => {
    service = ServiceProcess.spawn(join(folder.path, 'data'));
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  for (const page of PAGES)
    it(`the commands of docs/${page}, pasted all at once, are answered as the page says`, async () => {
      const written = ['receipt.json', 'keys.json'].reduce(
        (commands, file) => commands.replaceAll(file, join(folder.path, file)),
        commandsOf(page),
      );
      const { code, stdout, stderr } = await pasted(written, service);
      // The commands of mace say which service they use.
      const problems = stderr.replaceAll(/^Using http:.*\n/gm, '');
      expect([code, problems]).toStrictEqual([0, '']);
      expect(stdout).not.toBe('');
      // Without a model and before a fact is kept, an answer is an error that the page describes.
      for (const [, failure = ''] of stdout.matchAll(/"error_code":"(\w+)"/g))
        expect(textOf(page)).toContain(failure);
    });
});
