import { afterAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isRunning } from '#embedded/is-running.js';
import { startTestEventStore, startTestPostgres } from '#test/support/servers.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/**
 * A script of package.json that npm runs. As in a terminal, npm and the script have a process group of
 * their own.
 */
class NpmScript {
  readonly child: ChildProcess;
  /** npm's exit code. Settles after npm and all processes that write to its output have ended. */
  readonly ended: Promise<number | null>;
  private stdout = '';

  constructor(command: readonly string[], environment: Readonly<Record<string, string>>) {
    const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('MACE_'));
    this.child = spawn('npm', ['run', '--silent', ...command], {
      env: { ...Object.fromEntries(inherited), MACE_LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Sends a signal to npm alone. */
  signalNpm(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal to npm and all processes that it started, as a terminal does at Ctrl-C. */
  signalAll(signal: NodeJS.Signals): void {
    process.kill(-(this.child.pid ?? 0), signal);
  }

  /**
   * Waits until the output matches, and returns the pattern's first group; fails if the script ends
   * first.
   */
  async waitForOutput(pattern: RegExp): Promise<string> {
    let hasEnded = false;
    void this.ended.then(() => (hasEnded = true));
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match[1] ?? '';
      expect(hasEnded).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

interface Health {
  readonly details: Record<string, { readonly pid: number }>;
}

describe('A program that npm runs', () => {
  const folder = temporaryFolder('npm');
  const started: NpmScript[] = [];

  const run = (
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): NpmScript => {
    const script = new NpmScript(command, environment);
    started.push(script);
    return script;
  };

  afterAll(() => {
    for (const script of started) {
      try {
        script.signalAll('SIGKILL');
      } catch {
        // The process had already ended.
      }
    }
    folder.remove();
  });

  /** Runs `npm start` on a data directory; also returns the process ids of the service's embedded servers. */
  async function startService(): Promise<{ service: NpmScript; servers: number[] }> {
    const service = run(['start'], { PORT: '0', MACE_DATA_DIR: folder.path });
    const url = await service.waitForOutput(/Listening on +(http:\S+)/);
    const health = (await (await fetch(`${url}/health/ready`)).json()) as Health;
    const servers = ['embedded_event-store', 'embedded_postgres'].map(
      (name) => health.details[name]?.pid ?? 0,
    );
    expect(servers.map(isRunning)).toStrictEqual([true, true]);
    return { service, servers };
  }

  it('npm start stops the service and its servers if npm gets a SIGTERM', async () => {
    const { service, servers } = await startService();
    service.signalNpm('SIGTERM');
    expect(await service.ended).toBe(0);
    await service.waitForOutput(/\nStopped\.\n$/);
    expect(servers.map(isRunning)).toStrictEqual([false, false]);
  });

  it('npm start stops the service and its servers in the right order after Ctrl-C, although both the terminal and npm send the signal', async () => {
    const { service, servers } = await startService();
    service.signalAll('SIGINT');
    await service.waitForOutput(/Stopping/);
    service.signalNpm('SIGINT');
    expect(await service.ended).toBe(0);
    await service.waitForOutput(/\nStopped\.\n$/);
    expect(servers.map(isRunning)).toStrictEqual([false, false]);
  });

  it('npm run event-store stops the node if npm gets a SIGTERM, and the node releases its folder', async () => {
    for (let time = 0; time < 2; time++) {
      const eventStore = run(['event-store', '--', '--port', '0'], {
        MACE_DATA_DIR: folder.path,
      });
      await eventStore.waitForOutput(/Event store on (esdb:\S+)/);
      eventStore.signalNpm('SIGTERM');
      expect(await eventStore.ended).toBe(0);
    }
  });

  it('npm run projector stops the projector if npm gets a SIGTERM', async () => {
    const eventStore = await startTestEventStore();
    const postgres = await startTestPostgres();
    const projector = run(['projector'], {
      ...TEST_KEYS,
      MACE_EVENTSTORE_URL: eventStore.url,
      MACE_POSTGRES_URL: postgres.url,
    });
    await projector.waitForOutput(/Projecting/);
    projector.signalNpm('SIGTERM');
    expect(await projector.ended).toBe(0);
    await projector.waitForOutput(/\nStopped\.\n$/);
    await eventStore.stop();
    await postgres.stop();
  });
});
