import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { programsOf } from '../../scripts/doc-blocks.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const SDK = join(ROOT, 'libs/client/index.ts');
const DEFAULT_ADDRESS = 'http://127.0.0.1:3000';
/** The programs that need only the SDK; each adapter runs its own. */
const OF_THE_SDK = ['chat.mjs', 'job.mjs', 'notes.mjs'];
const PAGE = join(ROOT, 'docs/give-your-agent-memory.md');

describe('The page "Give your agent memory"', () => {
  const folder = temporaryFolder('memory-page');
  const agent = join(folder.path, 'my-agent');
  const programs = programsOf(PAGE);
  let service: TestService;
  let model: LanguageModelServer;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    [service, model] = await Promise.all([
      TestService.start({ ownLog: true }),
      LanguageModelServer.start(),
    ]);
    const [, setUp = ''] = /^```sh\n([^]*?)^```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const commands = setUp
      .replaceAll('../my-agent', agent)
      .replaceAll(DEFAULT_ADDRESS, service.url);
    const { stdout } = await promisify(execFile)('bash', ['-ec', `${commands}\nenv`], {
      cwd: ROOT,
      env: { ...process.env, ...TEST_KEYS, npm_config_offline: 'true', npm_config_audit: 'false' },
    });
    environment = {
      ...process.env,
      MACE_URL: /^MACE_URL=(.*)$/m.exec(stdout)?.[1],
      MACE_TOKEN: /^MACE_TOKEN=(.*)$/m.exec(stdout)?.[1],
      MODEL_URL: model.baseUrl,
      MODEL_KEY: 'none',
    };
  });
  afterAll(async () => {
    await model?.stop();
    await service?.stop();
    folder.remove();
  });

  /** Runs a program as the page has it, in the folder that the page makes, and returns the lines that it prints. */
  async function printed(file: string): Promise<string[]> {
    await writeFile(join(agent, file), programs.get(file) ?? '');
    const options = { cwd: agent, env: { ...environment, NODE_OPTIONS: '' } };
    const { stdout } = await promisify(execFile)(process.execPath, [file], options);
    return stdout.trim().split('\n');
  }

  it('each program has fewer than 20 lines of code', () => {
    expect(programs.size).toBeGreaterThanOrEqual(5);
    for (const [file, program] of programs) {
      const lines = program.split('\n').filter((line) => line.trim() !== '');
      expect([file, lines.length < 20]).toStrictEqual([file, true]);
    }
  });

  it('strict TypeScript accepts the programs', async () => {
    const files = OF_THE_SDK;
    for (const file of files) await writeFile(join(folder.path, file), programs.get(file) ?? '');
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'nodenext' },
      ...{ moduleResolution: 'nodenext', moduleDetection: 'force', lib: ['es2022', 'dom'] },
      ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
      paths: { '@mace-memory/client': [SDK] },
      // A program has no types of its own.
      ...{ allowJs: true, checkJs: true, noImplicitAny: false },
    };
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const checked = promisify(execFile)(process.execPath, [TSC, '--project', folder.path]);
    const failed = await checked.catch(({ stdout }: { readonly stdout: string }) => stdout);
    expect(failed).toMatchObject({ stdout: '' });
  });

  it('the chat’s second turn is asked with what its first turn said', async () => {
    model.next({ say: 'Noted.' }, { say: 'At noon.' });
    expect(await printed('chat.mjs')).toStrictEqual(['Noted.', 'At noon.']);
    const [first, second] = model.requests.map(({ body }) => body.messages[0]?.content ?? '');
    expect(first).toBe('');
    expect(second).toContain('timezone: CET');
    expect(second).toMatch(/^- .*: My timezone is CET\.$/m);
    expect(second).toContain('user: My timezone is CET.');
  });

  it('the job’s events, its replay and its episode are printed', async () => {
    expect(await printed('job.mjs')).toStrictEqual([
      ...['job_started', 'wm_inserted', 'wm_referenced', 'episode_written', 'job_ended'],
      ...['episode_consolidated', 'episodic_summary', 'true A flight to Seattle was booked.'],
    ]);
  });

  it('the note’s versions are printed', async () => {
    expect(await printed('notes.mjs')).toStrictEqual(["2 { days: 3, hotel: 'near the river' } 1"]);
  });
});
