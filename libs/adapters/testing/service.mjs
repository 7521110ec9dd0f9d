import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Builds the service if it is stale, and starts it with a temporary data directory and a free port. Returns
 * the variables by which `mintToken` and the tests find it, and `stop`, which removes the directory.
 */
export async function startService() {
  await import('../../../scripts/build.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'mace-adapters-'));
  const secret = randomBytes(32).toString('base64');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(MACE_.*|PORT|HOST|NODE_OPTIONS)$/.test(name),
  );
  const service = spawn(
    process.execPath,
    ['--enable-source-maps', join(ROOT, 'dist/programs/api.js')],
    {
      env: {
        ...Object.fromEntries(inherited),
        MACE_DATA_DIR: folder,
        MACE_JWT_SECRET: secret,
        MACE_LOG_LEVEL: 'error',
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A Ctrl-C must reach the service once, through `stop`: a second signal ends it at once.
      detached: true,
    },
  );
  const ended = once(service, 'close');
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const url = await listeningUrl(service);
    return { environment: { MACE_URL: url, MACE_JWT_SECRET: secret }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for the line with the address that the service prints on standard output when it is ready. */
function listeningUrl(service) {
  return new Promise((resolve, reject) => {
    let output = '';
    service.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const url = /Listening on +(http:\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    service.once('close', () => reject(new Error(`The service did not start:\n${output}`)));
  });
}
