import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The timeout of a step that downloads images or runs a whole suite, in ms. */
export const LONG_MS = 1_800_000;

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs the tests below a path, one file at a time because they share the servers. Returns the exit code.
 */
export async function runSuite(
  path: string,
  servers: Readonly<Record<string, string>>,
): Promise<number> {
  // The official client leaves its connections to a server that goes on running open, so the run would not end.
  const options = ['--runInBand', '--forceExit'];
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...options];
  const run = spawn(process.execPath, [...jest, path], {
    cwd: root,
    env: { ...process.env, ...servers },
    stdio: 'inherit',
  });
  return new Promise((resolve) => run.on('exit', (code) => resolve(code ?? 1)));
}
