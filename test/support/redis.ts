import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '#embedded/supervisor.js';
import type { RunningChild } from '#embedded/supervised.js';
import { Killable } from './killable.js';
import { RedisDouble, type TestRedis } from './redis-double.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Starts a Redis for one test file. Its entries survive a kill. It is the program that MACE_TEST_REDIS names,
 * such as `redis-server`; without the variable it is a double in this process, which speaks Redis's protocol.
 */
export async function startTestRedis(): Promise<TestRedis> {
  const program = process.env['MACE_TEST_REDIS'];
  const port = await freePort();
  return program ? startProgram(program, port) : RedisDouble.start(port);
}

async function startProgram(program: string, port: number): Promise<TestRedis> {
  const folder = temporaryFolder('redis');
  const start = () => spawnRedis(program, port, folder.path);
  const server = await Killable.start(start, () => start);
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void process.kill(server.running.pid, 'SIGSTOP'),
    resume: () => void process.kill(server.running.pid, 'SIGCONT'),
    kill: () => server.kill(),
    restart: () => server.restart(),
    stop: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

async function spawnRedis(program: string, port: number, folder: string): Promise<RunningChild> {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes'];
  const durable = ['--appendfsync', 'always', '--dir', folder];
  const child = spawn(program, ['--port', String(port), ...settings, ...durable], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit').then(() => ({ cause: 'it ended' }));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    void ended.then(() => reject(new Error(`${program} did not start: ${output}`)));
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
