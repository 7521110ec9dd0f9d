import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RANKINGS } from '#domain/search/rankings.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/search.md'), 'utf8');

/** Returns the page's first block of code in a language. */
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';

const sectionOf = (title: string): string =>
  PAGE.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

/** Runs the page's first commands on a service with a fresh data directory, and returns the last answer. */
async function lastAnswer(service: ServiceProcess): Promise<unknown> {
  const { url } = await service.ready();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
  const shell = spawn('bash', ['-s'], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), MACE_DATA_DIR: service.dataDir },
  });
  let stdout = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stdin.end(blockOf('sh').replaceAll('http://127.0.0.1:3000', url));
  await once(shell, 'close');
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** Replaces the page's `…`, which stand for ids and hashes, by patterns. */
function expectedIn(value: unknown): unknown {
  if (typeof value === 'string' && value.includes('…'))
    return expect.stringMatching(new RegExp(`^${value.replace('…', '.+')}$`));
  if (Array.isArray(value)) return value.map(expectedIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expectedIn(one)]));
}

describe('The page on search', () => {
  it('its example gets the answer that the page shows', async () => {
    const folder = temporaryFolder('search-page');
    const service = ServiceProcess.spawn(join(folder.path, 'data'));
    try {
      expect(await lastAnswer(service)).toStrictEqual(expectedIn(JSON.parse(blockOf('json'))));
    } finally {
      await service.stop();
      folder.remove();
    }
  });

  it('its table has the constants of every version of the ranking', () => {
    const numbersIn = (column: number): number[] =>
      sectionOf('The score')
        .split('\n')
        .filter((line) => /^\| .*\|\s*[×\d.–, ]+\|\s*[×\d.–, ]+\|$/.test(line))
        .flatMap((line) => line.split('|')[column]?.match(/\d+(?:\.\d+)?/g) ?? [])
        .map(Number);
    for (const ranking of Object.values(RANKINGS)) {
      const { k1, b, previous, next, window, group, label, question, period, number } = ranking;
      const effective = [
        ...[k1, b, previous, next, ...(window === 0 ? [] : [window]), group],
        ...[label, question, period, number].filter((factor) => factor !== 1),
      ];
      expect(numbersIn(ranking.version + 1)).toStrictEqual(effective);
    }
  });
});
