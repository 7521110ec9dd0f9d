import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '#embedded/free-port.js';
import type { RunningChild } from '#embedded/supervised.js';
import { Killable } from './killable.js';
import { temporaryFolder } from './temporary-folder.js';
import type { OwnServer } from './servers.js';

export interface TestRedis extends OwnServer {
  readonly pid: () => number;
}

/**
 * The reason to skip tests that need Redis, or false if `redis-server` is installed. In CI, where a skipped
 * test would go unseen, a missing server is an error.
 */
export const redisMissing: string | false =
  spawnSync('redis-server', ['--version']).status === 0
    ? false
    : 'redis-server is not installed here (Debian: apt-get install redis-server)';
if (redisMissing !== false && (process.env['CI'] ?? 'false') !== 'false')
  throw new Error(redisMissing);

/** Starts a Redis for one test file. Its entries survive a kill. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = temporaryFolder('redis');
  const port = await freePort();
  const start = () => spawnRedis(port, folder.path);
  const server = await Killable.start(start, () => start);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => server.running.pid,
    kill: () => server.kill(),
    restart: () => server.restart(),
    stop: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

async function spawnRedis(port: number, folder: string): Promise<RunningChild> {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes'];
  const durable = ['--appendfsync', 'always', '--dir', folder];
  const child = spawn('redis-server', ['--port', String(port), ...settings, ...durable], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit').then(() => ({ cause: 'it ended' }));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ready to accept connections')) resolve();
    });
    void ended.then(() => reject(new Error(`redis-server did not start: ${output}`)));
  });
  return {
    pid: child.pid ?? 0,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
