import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServiceProcess } from './service-process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DEFAULT_ADDRESS = 'http://127.0.0.1:3000';

export interface Pasted {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Pastes a script of the documentation into a shell in the package's folder, all at once. The shell has the address
 * and the data directory of the service, in the script too where it names the default address.
 */
export async function pasted(
  script: string,
  service: ServiceProcess,
  environment: Readonly<Record<string, string>> = {},
): Promise<Pasted> {
  const { url } = await service.ready();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
  const own = { MACE_URL: url, MACE_DATA_DIR: service.dataDir };
  const shell = spawn('bash', ['-s'], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), ...own, ...environment },
  });
  let stdout = '';
  let stderr = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // The shell may end before it has read the whole script.
  shell.stdin.on('error', () => undefined);
  // The tour itself takes the default address from MACE_URL.
  shell.stdin.end(script.replaceAll(new RegExp(`(?<!:-)${DEFAULT_ADDRESS}`, 'g'), url));
  const [code] = (await once(shell, 'close')) as [number | null];
  return { code, stdout, stderr };
}
