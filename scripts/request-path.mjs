// Counts the source files that a WM insert, an interaction and a query pass through from HTTP to the log:
//   node scripts/request-path.mjs [--list]
// It runs the built service with precise coverage. It counts a file if the request runs a function of the
// file that does not run while the service is idle. Projections run in a process of their own, so they are
// not counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(import.meta.url);
const dist = join(dirname(dirname(file)), 'dist');

/** Runs inside the service: answers each message with the functions that ran since the previous message. */
async function recordCoverage() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('message', async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result
      .filter(({ url }) => url.startsWith(`file://${dist}`))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
          .map(({ functionName, ranges }) => ({
            file: relative(dist, fileURLToPath(url)),
            name: `${functionName}@${ranges[0].startOffset}`,
          })),
      );
    process.send(ran);
  });
}

async function count() {
  const dataDir = await mkdtemp(join(tmpdir(), 'mace-request-path-'));
  const env = { ...process.env, MACE_DATA_DIR: dataDir, PORT: '0', MACE_LOG_LEVEL: 'error' };
  const service = spawn(
    process.execPath,
    ['--import', file, join(dist, 'apps', 'api', 'main.js')],
    { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  try {
    const url = await listening(service);
    const token = await tokenFor(env);
    const send = async (path, body) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    };
    const ran = async () => {
      service.send('take');
      const [functions] = await once(service, 'message');
      return functions;
    };
    const memory = {
      assistant: 'helper',
      session_id: 'paths',
      memory: { short_term: 4, semantic: true, profile: true },
    };
    const requests = {
      'WM insert': () => send('jobs/paths/wm', { type: 'fact', value: 'a value' }),
      interaction: () =>
        send('memory/interactions', { ...memory, user_text: 'I prefer tea', ai_text: 'Noted.' }),
      query: () => send('queries', { query_text: 'What is 2 + 2?' }),
    };
    await send('jobs', { job_seed: 'paths' });
    for (const request of Object.values(requests)) await request();
    // Functions that run in the background, such as the projections, are counted first, so that they can
    // be left out.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await ran();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const idle = new Set((await ran()).map(({ file, name }) => `${file} ${name}`));
    for (const [name, request] of Object.entries(requests)) {
      await ran();
      await request();
      const all = (await ran()).filter((one) => !idle.has(`${one.file} ${one.name}`));
      const files = [...new Set(all.map((one) => one.file))].filter(isOnThePath).sort();
      console.log(`${name}: ${files.length} files`);
      if (process.argv.includes('--list')) for (const one of files) console.log(`  ${one}`);
    }
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * True if a file is on the path of a request. Read models follow the log independently of requests, so of their files only the queries of a request count.
 */
const isOnThePath = (path) =>
  !/^(projections|libs\/read-model)\//.test(path) || path.endsWith('queries.js');

function listening(service) {
  let text = '';
  return new Promise((resolve, reject) => {
    service.stdout.on('data', (chunk) => {
      text += chunk;
      const url = /Listening on\s+(\S+)/.exec(text)?.[1];
      if (url !== undefined && text.includes('Ctrl-C')) resolve(url);
    });
    service.once('exit', () => reject(new Error(`The service did not start: ${text}`)));
  });
}

async function tokenFor(env) {
  const mace = join(dist, 'apps', 'cli', 'main.js');
  const child = spawn(process.execPath, [mace, 'token', '--role', 'agent', '--sub', 'paths'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text.trim();
}

if (process.send === undefined) await count();
else await recordCoverage();
