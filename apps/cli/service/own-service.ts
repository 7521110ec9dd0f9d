import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MaceClient } from '#client/mace-client.js';
import { couldNotCheck } from '../exit-code.js';
import type { Role } from '#platform/auth/roles.js';
import { mintedToken } from '../token/minted-token.js';

/** Returns a promise that rejects with the signal's reason when the signal aborts. */
const rejectionBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });

/** A service with a temporary folder of its own. */
export interface OwnService {
  readonly url: string;
  /** The temporary folder. The command may write files into it. */
  readonly folder: string;
  /** Returns a client that acts as `sub`. */
  readonly as: (sub: string, role: Role, userId?: string) => Promise<MaceClient>;
}

const DAY_SECONDS = 86_400;
const MAIN = fileURLToPath(import.meta.resolve('#programs/api.js'));

/**
 * Starts the service in a process of its own, with a temporary data directory and a free port, and works with it. The
 * name of the directory begins with `mace-<command>-`. The service ignores environment variables that name another
 * service. If the signal aborts, the returned promise rejects with the signal's reason. At the end, no files or
 * processes remain.
 */
export async function withOwnService<Result>(
  command: string,
  signal: AbortSignal,
  work: (service: OwnService) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `mace-${command}-`));
  const settings = { MACE_DATA_DIR: join(folder, 'data'), PORT: '0', MACE_LOG_LEVEL: 'fatal' };
  const service = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { ...inheritedEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches every process of the terminal's group, and the service takes a second signal as
    // "stop at once", so the service needs its own group.
    detached: true,
  });
  const ended = once(service, 'close');
  try {
    const interrupted = rejectionBy(signal);
    const url = await Promise.race([listeningUrl(service), interrupted]);
    const as: OwnService['as'] = async (sub, role, user_id) => {
      const claims = { sub, roles: [role], user_id, ttl: DAY_SECONDS };
      return new MaceClient({ baseUrl: url, token: await mintedToken(settings, claims) });
    };
    return await Promise.race([work({ url, folder, as }), interrupted]);
  } finally {
    service.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Waits for the line with the address that the service prints on standard output when it is ready. */
function listeningUrl(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text: string): void => {
      said += text;
      const url = /Listening on +(http:\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    };
    service.stdout?.setEncoding('utf8').on('data', listen);
    service.stderr?.setEncoding('utf8').on('data', listen);
    service.once('close', () => reject(couldNotCheck(`The service did not start:\n${said}`)));
  });
}

/** Returns this process's environment without the variables that configure a service. */
const inheritedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('MACE_') && name !== 'PORT' && name !== 'HOST',
    ),
  );
