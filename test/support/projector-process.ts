import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { atExit } from './at-exit.js';
import { TEST_KEYS } from './test-keys.js';

const MAIN = fileURLToPath(import.meta.resolve('#programs/projector.js'));

/** The projector as an operator starts it, in a separate process. */
export class ProjectorProcess {
  stdout = '';
  stderr = '';
  /** Resolves with the exit code; null after a signal. */
  readonly exited: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    const forget = atExit(() => child.kill('SIGKILL'));
    this.exited = once(child, 'close').then(([code]) => {
      forget();
      return code as number | null;
    });
  }

  static spawn(
    environment: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): ProjectorProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: {
        ...Object.fromEntries(inherited),
        ...TEST_KEYS,
        MACE_LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ProjectorProcess(child);
  }

  /** The name under which it leads read models. */
  get name(): string {
    return `${hostname()}:${this.child.pid}`;
  }

  /** Sends a signal, and returns at once. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends the signal, and resolves with the exit code. */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}
