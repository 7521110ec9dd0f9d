import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#programs/mace.js'));

/** A folder that does not exist, so that no test uses the profiles of the person who runs it. */
const NO_PROFILES = { XDG_CONFIG_HOME: join(tmpdir(), 'mace-no-profiles') };

export interface CliEnded {
  /** The exit code; null if the process was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `mace` in a process of its own, without the environment variables that configure a service. */
export class CliProcess {
  readonly ended: Promise<CliEnded>;

  private constructor(readonly child: ChildProcess) {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    this.ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout,
      stderr,
    }));
  }

  static spawn(
    args: readonly string[],
    environment: Record<string, string> = {},
    cwd?: string,
    input?: string,
  ): CliProcess {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('MACE_') && name !== 'PORT' && name !== 'HOST',
    );
    const env = { ...Object.fromEntries(inherited), ...NO_PROFILES, ...environment };
    const child = spawn(process.execPath, [MAIN, ...args], {
      ...{ cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] },
    });
    child.stdin?.end(input);
    return new CliProcess(child);
  }
}

/** Runs `mace` until it ends. */
export const mace = (
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string,
  input?: string,
): Promise<CliEnded> => CliProcess.spawn(args, environment, cwd, input).ended;
