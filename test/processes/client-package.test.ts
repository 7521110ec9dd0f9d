import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const run = async (folder: string, command: string, ...parameters: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, parameters, { cwd: folder });
  return stdout.trim();
};

/** A program that uses the SDK. It returns the ids of what it found in a job. */
const PROGRAM = `
const mace = new MaceClient({ baseUrl, token });
const { job_seed } = await mace.jobs.start({ goal: 'try the package' });
const job = mace.job(job_seed);
const { wm_id } = await job.insert({ type: 'fact', value: { destination: 'SEA' } });
const missing = await mace.job(job_seed + '-missing').get().catch((error) => error);
const found = await mace.jobs.list({ session_id: 'unknown' });
const batched = job.batched();
const inserted = await Promise.all([1, 2].map((value) => batched.insert({ type: 'fact', value })));
await job.end();
const types = [];
for await (const event of job.follow({ toEnd: true })) types.push(event.type);
const failed = await mace.withJob(job_seed + '-failed', () => { throw missing; }).catch((error) => error);
const chat = withMemory(mace, { assistant: 'helper', session_id: job_seed });
await chat.turn('My timezone is CET.', () => 'Noted.');
const { answer: said } = await chat.turn('When is it?', ({ prompt }) => prompt);
const answer = [
  wm_id === 'wm:' + job_seed + ':1', missing.code, found.jobs.length, inserted.length,
  types[0], types.at(-1), isMaceError(failed, 'NOT_FOUND'), said.includes('timezone: CET'),
].join(' ');
`;
const ANSWER = 'true NOT_FOUND 0 2 job_started episodic_summary true true';
const IMPORTED = '{ isMaceError, MaceClient, withMemory }';

/** A TypeScript program that compiles only if the types of the package are exact. */
const TYPED = `
import { isMaceError, type Job, type LogEvent, MaceClient, withMemory } from '@mace-memory/client';
const mace = new MaceClient({ baseUrl: 'http://127.0.0.1:3000', token: async () => 'token' });
export async function tick(seed: string): Promise<Job['status'] | undefined> {
  try {
    const { version } = await mace.job(seed).tick(2);
    const job: Job = await mace.job(seed).get({ version });
    return job.status;
  } catch (error) {
    if (isMaceError(error, 'JOB_ENDED', 'NOT_FOUND')) {
      const code: 'JOB_ENDED' | 'NOT_FOUND' = error.code;
      return code === 'JOB_ENDED' ? 'ended' : undefined;
    }
    throw error;
  }
}
export const result: Promise<number> = mace.withJob('seed', async (job) => (await job.tick()).tick);
export const events: AsyncIterable<LogEvent> = mace.events({ categories: ['job'] });
const chat = withMemory(mace, { assistant: 'helper', session_id: 'session' });
export const said: Promise<{ readonly answer: string }> = chat.turn('Hi', ({ prompt }) => prompt);
export const streamed: Promise<{ readonly answer: AsyncIterable<string> }> = chat.turn('Hi', async function* () { yield 'Hi'; });
// @ts-expect-error No error has such a code.
export const unknown = (error: unknown) => isMaceError(error, 'UNHEARD_OF');
// @ts-expect-error A job has no such status.
export const impossible: Job['status'] = 'lost';
`;

describe('The package of the SDK', () => {
  const folder = temporaryFolder('client-package');
  const project = join(folder.path, 'project');
  let service: TestService;
  let given: string;

  beforeAll(async () => {
    await mkdir(project, { recursive: true });
    await writeFile(join(project, 'package.json'), '{"name":"empty","private":true}');
    const packing = join(ROOT, 'scripts/build-client.mjs');
    const tarball = await run(ROOT, process.execPath, packing, '--pack', folder.path);
    const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    [service] = await Promise.all([
      TestService.shared(),
      run(project, 'npm', 'install', ...options, tarball),
    ]);
    const token = await service.token('agent', { sub: named('package') });
    given = `const [baseUrl, token] = ${JSON.stringify([service.url, token])};`;
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  const write = (file: string, text: string): Promise<void> => writeFile(join(project, file), text);
  const installed = (file: string): Promise<string> =>
    readFile(join(project, 'node_modules/@mace-memory/client', file), 'utf8');

  /** Compiles the files that a tsconfig lists, and returns what the compiler reports. */
  const compiled = (config: string): Promise<string> =>
    run(project, process.execPath, TSC, '--project', config).catch(
      ({ stdout }: { readonly stdout: string }) => stdout,
    );

  it('the package has the version of the product, a licence, and no dependencies', async () => {
    const manifest = JSON.parse(await installed('package.json')) as Record<string, unknown>;
    const root = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as typeof manifest;
    expect(manifest['version']).toBe(root['version']);
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind);
    expect(await installed('LICENSE')).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
  });

  it('an ES module uses the installed package against a service', async () => {
    await write(
      'program.mjs',
      `import ${IMPORTED} from '@mace-memory/client'; ${given} ${PROGRAM} console.log(answer);`,
    );
    expect(await run(project, process.execPath, 'program.mjs')).toBe(ANSWER);
  });

  it('a CommonJS module uses the installed package against a service', async () => {
    await write(
      'program.cjs',
      `const ${IMPORTED} = require('@mace-memory/client'); ${given}
      (async () => { ${PROGRAM} console.log(answer); })();`,
    );
    expect(await run(project, process.execPath, 'program.cjs')).toBe(ANSWER);
  });

  it.each([
    ['ES and CommonJS modules under nodenext', ['typed.mts', 'typed.cts'], 'nodenext', 'nodenext'],
    ['a module for a bundler', ['typed.ts'], 'esnext', 'bundler'],
  ])(
    'strict TypeScript accepts %s, without types of Node',
    async (_, files, module, resolution) => {
      for (const file of files) await write(file, TYPED);
      const compilerOptions = {
        ...{ strict: true, noEmit: true, types: [], lib: ['es2022', 'dom'], target: 'es2022' },
        ...{ module, moduleResolution: resolution },
      };
      await write(`${resolution}.json`, JSON.stringify({ compilerOptions, files }));
      expect(await compiled(`${resolution}.json`)).toBe('');
    },
  );

  it('a page in a browser uses the installed package against a service', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import ${IMPORTED} from '@mace-memory/client';
          export const main = async () => { ${given} ${PROGRAM} return answer; };`,
        resolveDir: project,
      },
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'page',
      logLevel: 'silent',
    });
    // A browser has these globals, and nothing of Node.
    const browser = createContext({
      ...{ fetch, Headers, AbortController, TextDecoder, TextEncoder, URL, URLSearchParams },
      ...{
        setTimeout,
        clearTimeout,
        crypto: { getRandomValues: crypto.getRandomValues.bind(crypto) },
      },
    });
    const script = `${outputFiles[0]?.text}; page.main()`;
    expect(await runInContext(script, browser)).toBe(ANSWER);
  });
});
