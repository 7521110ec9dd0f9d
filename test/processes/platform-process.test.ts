import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { isRunning } from '#embedded/is-running.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Health {
  readonly details: Record<string, { readonly pid: number; readonly restarts: number }>;
}

describe('The service as a process', () => {
  const folder = temporaryFolder('service');
  const started: ServiceProcess[] = [];

  const spawn = (environment: Record<string, string> = {}): ServiceProcess => {
    const service = ServiceProcess.spawn(folder.path, environment);
    started.push(service);
    return service;
  };

  /** Returns the output and exit code of a start that fails. */
  const refused = async (environment: Record<string, string>): Promise<[number | null, string]> => {
    const service = spawn(environment);
    return [await service.exited, service.stderr];
  };

  afterAll(async () => {
    for (const { child, exited } of started) {
      child.kill('SIGKILL');
      await exited;
    }
    folder.remove();
  });

  it('a bad setting makes the service print one sentence about it and exit with code 4', async () => {
    for (const [name, value] of [
      ['PORT', 'eighty'],
      ['MACE_SIGNING_KEY', 'change-me-change-me-change-me-please'],
      ['MACE_LOG_LEVEL', 'loud'],
    ] as const) {
      const [code, stderr] = await refused({ [name]: value });
      expect(code).toBe(4);
      expect(stderr).toMatch(new RegExp(`^${name} [^\\n]+\\n$`));
    }
    const [code, stderr] = await refused({ MACE_JWKS_URL: 'https://issuer.test/jwks.json' });
    expect(code).toBe(4);
    expect(stderr).toMatch(/^MACE_JWT_AUDIENCE must be set if MACE_JWKS_URL is set[^\n]+\n$/);
  });

  describe('a running service', () => {
    let service: ServiceProcess;
    beforeAll(async () => {
      service = spawn();
      await service.ready();
    });

    it('a service that starts prints its address, its data directory and what to try next', () => {
      expect(service.stdout).toMatch(/Listening on +http:\/\/127\.0\.0\.1:\d+\n/);
      expect(service.stdout).toContain(folder.path);
      expect(service.stdout).toMatch(
        /export MACE_URL=http:\S+ MACE_DATA_DIR=\S+\n {2}npx mace remember --user ada/,
      );
      expect(service.stdout).toContain('docs/give-your-agent-memory.md');
    });

    it('a second service on the same data directory stops and names the process that uses the directory', async () => {
      const [code, stderr] = await refused({});
      expect(code).toBe(1);
      expect(stderr).toMatch(/data folder .* is in use by process \d+/);
      expect(stderr).toContain(String(service.pid));
    });

    it('a service whose port is in use names the port, and starts nothing', async () => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const { port } = taken.address() as AddressInfo;
      const other = temporaryFolder('service');
      const second = ServiceProcess.spawn(other.path, { PORT: String(port) });
      expect(await second.exited).toBe(1);
      expect(second.stderr).toMatch(new RegExp(`^Port ${port} is taken: [^\\n]+\\n$`));
      expect(second.stdout).toBe('');
      taken.close();
      other.remove();
    });

    it('Ctrl-C ends the service with code 0 and leaves no process behind; the next start finds the data', async () => {
      const first = await service.ready();
      const token = await first.token('agent');
      const job = { token, body: { job_seed: 'kept' } };
      expect((await first.call('POST', '/v1/jobs', job)).status).toBe(201);
      const { body } = await first.call<Health>('GET', '/health/ready');
      const pids = ['embedded_event-store', 'embedded_postgres'].map(
        (name) => body.details[name]?.pid ?? 0,
      );
      expect(pids.every(isRunning)).toBe(true);
      expect(await service.stop('SIGINT')).toBe(0);
      expect(service.stdout).toMatch(/Stopped\.\n$/);
      expect(pids.map(isRunning)).toStrictEqual([false, false]);

      const second = spawn();
      const again = await second.ready();
      const { status } = await again.call('GET', '/v1/jobs/kept', { token });
      expect(status).toBe(200);
      expect(await second.stop('SIGTERM')).toBe(0);
    });
  });

  it('a service whose embedded server crashes restarts the server, logs the crash, and shows it in health', async () => {
    const service = spawn();
    const client = await service.ready();
    const before = await client.call<Health>('GET', '/health/ready');
    const crashed = before.body.details['embedded_event-store'];
    process.kill(crashed?.pid ?? 0, 'SIGKILL');
    let now: Health['details'][string] | undefined;
    do {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { body } = await client.call<Health>('GET', '/health/ready');
      now = body.details['embedded_event-store'];
    } while (now === undefined || now.restarts === 0 || !isRunning(now.pid));
    expect(now.pid).not.toBe(crashed?.pid);
    expect(service.stderr).toMatch(/"type":"embedded_crash","server":"event-store"/);
    expect(await service.stop()).toBe(0);
  });
});
