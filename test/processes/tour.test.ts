import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOUR = readFileSync(join(ROOT, 'docs/tour.sh'), 'utf8');

const commandsIn = (script: string): string[] =>
  script.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** The code blocks of the README's tour. */
function readmeTour(): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, section = ''] = readme.split('\n## Ten minutes with it\n');
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code]) => code).join('\n');
}

/**
 * Pastes the tour into a shell all at once, with the address and data directory of the given service.
 */
async function typed(service: ServiceProcess, bundles: string, options: string[] = []) {
  const { url } = await service.ready();
  const { port } = new URL(url);
  const script = TOUR.replaceAll('http://127.0.0.1:3000', url).replaceAll('bundles', bundles);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
  const shell = spawn('bash', [...options, '-s'], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), PORT: port, MACE_DATA_DIR: service.dataDir },
  });
  let stdout = '';
  let stderr = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  shell.stdin.end(script);
  const [code] = (await once(shell, 'close')) as [number | null];
  return { code, stdout, stderr };
}

describe('The README’s tour', () => {
  it('the README’s tour equals docs/tour.sh, line by line', () => {
    expect(commandsIn(readmeTour())).toStrictEqual(commandsIn(TOUR));
  });

  for (const options of [[], ['-e']])
    it(`the tour, pasted all at once, runs to its end on a fresh data dir ${options.join(' ')}`, async () => {
      const folder = temporaryFolder('tour');
      const service = ServiceProcess.spawn(join(folder.path, 'data'));
      try {
        const { code, stdout, stderr } = await typed(service, join(folder.path, 'out'), options);
        expect([stderr + stdout, code]).toStrictEqual([stderr + stdout, 0]);
        expect(stdout).toMatch(/"results":\[\{[^\n]*"episodic_id":"ep:/);
        expect(stdout).toMatch(/"status":"executed"/);
        expect(stdout).toMatch(/"source":"agent:agent-1","value":"cerulean"/);
        expect(stdout).toMatch(/^identical  hello-1  8 events/m);
        expect(stdout).toMatch(/^intact  job-hello-1  8 events/m);
      } finally {
        await service.stop();
        folder.remove();
      }
    });
});
