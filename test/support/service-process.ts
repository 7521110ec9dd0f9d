import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { keysOf } from '#platform/config/keys.js';
import { ServiceClient } from './service-client.js';

const MAIN = fileURLToPath(import.meta.resolve('#programs/api.js'));

/**
 * The service as an operator starts it: in a separate process, with embedded servers in a data
 * directory.
 */
export class ServiceProcess {
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';

  private constructor(
    readonly child: ChildProcess,
    readonly dataDir: string,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Starts the process and returns at once. PORT is a free port unless `environment` sets it. */
  static spawn(
    dataDir: string,
    environment: Readonly<Record<string, string>> = {},
  ): ServiceProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
    const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
      env: {
        ...Object.fromEntries(inherited),
        PORT: '0',
        MACE_DATA_DIR: dataDir,
        MACE_LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, dataDir);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves when the service has printed its address; rejects with its output if it ends before. */
  async ready(): Promise<ServiceClient> {
    const listening = /Listening on +(http:\S+)/;
    let ended = false;
    void this.exited.then(() => (ended = true));
    while (!listening.test(this.stdout)) {
      if (ended) throw new Error(`The service did not start: ${this.stdout}${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const url = listening.exec(this.stdout)?.[1] ?? '';
    return new ServiceClient(url, (await keysOf(this.dataDir)).jwtSecret);
  }

  /** Lets this process end without waiting for the service. Its output is not read any more. */
  letThisProcessEnd(): void {
    this.child.unref();
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.removeAllListeners('data').resume();
      (stream as Socket | null)?.unref();
    }
  }

  /** Sends the signal, by default SIGINT (Ctrl-C), and resolves with the exit code. */
  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}
