import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pasted } from '#test/support/pasted.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOUR = readFileSync(join(ROOT, 'docs/tour.sh'), 'utf8');

/** The commands of the tour, after those that end it at the first failure. */
const [, COMMANDS = ''] = TOUR.split('\n# An agent remembers.\n');

const commandsIn = (script: string): string[] =>
  script.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** The code blocks of the README's tour. */
function readmeTour(): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, section = ''] = readme.split('\n## Ten minutes with it\n');
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code]) => code).join('\n');
}

describe('The README’s tour', () => {
  it('the README’s tour equals docs/tour.sh, line by line', () => {
    expect(commandsIn(readmeTour())).toStrictEqual(commandsIn(COMMANDS));
  });

  for (const [name, tour] of Object.entries({ 'docs/tour.sh': TOUR, 'the README': readmeTour() }))
    it(`the tour of ${name}, pasted all at once, runs to its end on a fresh data dir`, async () => {
      const folder = temporaryFolder('tour');
      const service = ServiceProcess.spawn(join(folder.path, 'data'));
      try {
        const script = tour.replaceAll('bundles', join(folder.path, 'out'));
        const { code, stdout, stderr } = await pasted(script, service);
        expect([stderr + stdout, code]).toStrictEqual([stderr + stdout, 0]);
        expect(stdout).toMatch(/"text":"\d{4}-\d\d-\d\d: I am allergic to peanuts\."/);
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

describe('docs/tour.sh stops at the first failure', () => {
  const folder = temporaryFolder('tour-stops');
  let service: ServiceProcess;
  beforeAll(() => {
    service = ServiceProcess.spawn(join(folder.path, 'data'));
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('a refused request ends the tour, which says which one it was, its status and the reason', async () => {
    const { MACE_JWT_SECRET } = TEST_KEYS;
    const { code, stdout, stderr } = await pasted(TOUR, service, { MACE_JWT_SECRET });
    expect([code, stdout]).toStrictEqual([1, '']);
    expect(stderr).toMatch(/The tour stops at http:\S+\/v1\/remember: 401\n/);
    expect(stderr).toContain('made with another secret (another MACE_DATA_DIR?)');
  });

  it('a service that does not answer ends the tour, which says at which address', async () => {
    const MACE_URL = 'http://127.0.0.1:1';
    const { code, stderr } = await pasted(TOUR, service, { MACE_URL });
    expect(code).toBe(1);
    expect(stderr).toContain(`The tour stops at ${MACE_URL}/v1/remember: no answer`);
  });

  it('a data directory without keys ends the tour, which says where it looked', async () => {
    const MACE_DATA_DIR = join(folder.path, 'missing');
    const { code, stderr } = await pasted(TOUR, service, { MACE_DATA_DIR });
    expect(code).toBe(2);
    expect(stderr).toContain(MACE_DATA_DIR);
  });
});
