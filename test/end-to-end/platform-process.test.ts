import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { isRunning } from '#embedded/is-running.js';
import { ServiceProcess } from '../support/service.js';
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

  /** What a start that cannot succeed says, and its exit code. */
  const refused = async (environment: Record<string, string>): Promise<[number | null, string]> => {
    const service = spawn(environment);
    return [await service.exited, service.stderr];
  };

  after(async () => {
    for (const { child, exited } of started) {
      child.kill('SIGKILL');
      await exited;
    }
    folder.remove();
  });

  it('names a bad setting in one sentence and ends with exit code 1', async () => {
    for (const [name, value] of [
      ['PORT', 'eighty'],
      ['MACE_SIGNING_KEY', 'change-me-change-me-change-me-please'],
      ['MACE_LOG_LEVEL', 'loud'],
    ] as const) {
      const [code, stderr] = await refused({ [name]: value });
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`^${name} [^\\n]+\\n$`));
    }
  });

  describe('once it runs', () => {
    let service: ServiceProcess;
    before(async () => {
      service = spawn();
      await service.ready();
    });

    it('says where it listens, where its data is, and what to try next', () => {
      assert.match(service.stdout, /Listening on +http:\/\/127\.0\.0\.1:\d+\n/);
      assert.ok(service.stdout.includes(folder.path));
      assert.match(service.stdout, /npm run --silent token -- --role agent/);
      assert.match(service.stdout, /curl -s http/);
    });

    it('refuses a second instance on its data dir, and names the process that has it', async () => {
      const [code, stderr] = await refused({});
      assert.equal(code, 1);
      assert.match(stderr, /data folder .* is in use by process \d+/);
      assert.ok(stderr.includes(String(service.pid)));
    });

    it('says which port is taken, and leaves nothing running', async () => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const { port } = taken.address() as AddressInfo;
      const other = temporaryFolder('service');
      const second = ServiceProcess.spawn(other.path, { PORT: String(port) });
      assert.equal(await second.exited, 1);
      assert.match(second.stderr, new RegExp(`^Port ${port} is taken: [^\\n]+\\n$`));
      taken.close();
      other.remove();
    });

    it('ends at Ctrl-C with exit code 0, leaves no process behind, and finds its data at the next start', async () => {
      const first = await service.ready();
      const token = await first.token('agent');
      const job = { token, body: { job_seed: 'kept' } };
      assert.equal((await first.call('POST', '/v1/jobs', job)).status, 201);
      const { body } = await first.call<Health>('GET', '/health/ready');
      const pids = ['embedded_event-store', 'embedded_postgres'].map(
        (name) => body.details[name]?.pid ?? 0,
      );
      assert.ok(pids.every(isRunning));
      assert.equal(await service.stop('SIGINT'), 0);
      assert.match(service.stdout, /Stopped\.\n$/);
      assert.deepEqual(pids.map(isRunning), [false, false]);

      const second = spawn();
      const again = await second.ready();
      const { status } = await again.call('GET', '/v1/jobs/kept', { token });
      assert.equal(status, 200);
      assert.equal(await second.stop('SIGTERM'), 0);
    });
  });

  it('starts a crashed server again, logs the crash, and shows it in health', async () => {
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
    assert.notEqual(now.pid, crashed?.pid);
    assert.match(service.stderr, /"type":"embedded_crash","server":"event-store"/);
    assert.equal(await service.stop(), 0);
  });
});
