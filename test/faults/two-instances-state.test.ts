import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueueFile } from '#apps/api/storage-queue/queue-file.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { SharedRun } from '#apps/api/integrity/shared-run.js';
import type { IntegrityReport } from '#client/integrity.js';
import { Postgres } from '#read-model/postgres.js';
import { Caller } from '#test/support/caller.js';
import { startOwnEventStore, startTestPostgres } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { LogReader } from '#test/support/read-log.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { until } from './support/until.js';

const LIMIT = 500;

const refused: RefusedWrite = {
  ...{ command_id: '00000000-0000-4000-8000-000000000001', command: 'PutFact', keyed: false },
  ...{ caller: 'caller', stream: 'sem-world/fact/refused/value', route: 'PUT /v1/sem/{key}' },
  ...{ trace_id: 'trace', refused_at: '2026-01-01T00:00:00.000Z', sealed: 'sealed' },
};

/** Leaves a refused write in the file of a second instance that shared the data directory and has ended. */
async function leaveRefusedWrite(dataDir: string): Promise<void> {
  const first = await QueueFile.open(dataDir);
  const second = await QueueFile.open(dataDir);
  await second.keep(refused);
  await second.close();
  await first.close();
}

describe('What two instances keep', () => {
  const folder = temporaryFolder('instance');
  let services: readonly [TestService, TestService];
  let admins: readonly [Caller, Caller];
  let rows: Postgres;
  let log: LogReader;

  beforeAll(async () => {
    const servers = {
      eventStore: await startOwnEventStore(),
      postgres: await startTestPostgres(),
    };
    rows = new Postgres({ url: servers.postgres.url, maxConnections: 2 });
    log = new LogReader(servers.eventStore.url);
    await leaveRefusedWrite(folder.path);
    const environment = { MACE_RATE_LIMIT_PER_MINUTE: String(LIMIT) };
    services = [
      await TestService.start({
        servers,
        environment: { ...environment, MACE_DATA_DIR: folder.path },
      }),
      await TestService.start({ servers, environment }),
    ];
    admins = [await Caller.of(services[0], 'admin'), await Caller.of(services[1], 'admin')];
  });
  afterAll(async () => {
    await rows?.close();
    await log?.close();
    for (const service of services ?? []) await service.stop();
    await Promise.all([services?.[0].eventStore.stop(), services?.[0].postgres.stop()]);
    folder.remove();
  });

  it('a start that one instance decides on an empty job, which the other instance has started and ended meanwhile, is refused at once', async () => {
    const [here, there] = [
      await Caller.of(services[0], 'agent', { sub: 'starter' }),
      await Caller.of(services[1], 'agent', { sub: 'starter' }),
    ];
    const stranger = await Caller.of(services[0], 'agent', { sub: 'stranger' });
    await stranger.post('jobs', { job_seed: 'theirs', session_id: 'their-session' });
    // The refusal leaves an empty fold of the job in the memory of the first instance.
    await here.refused('PERMISSION_DENIED', 'POST', 'jobs', {
      body: { job_seed: 'contested', session_id: 'their-session' },
    });
    const body = { job_seed: 'contested', session_id: 'own-session' };
    await there.post('jobs', body);
    await there.post('jobs/contested/end');
    await here.refused('JOB_EXISTS', 'POST', 'jobs', { body });
    expect((await here.get('jobs/contested'))['status']).toBe('ended');
  });

  it('each instance counts the requests of a subject for itself, so that two instances allow twice the rate limit', async () => {
    const here = await Caller.of(services[0], 'agent', { sub: 'busy' });
    const there = await Caller.of(services[1], 'agent', { sub: 'busy' });
    await until('one instance refuses', async () => {
      const batch = Array.from({ length: LIMIT + 1 }, () => here.ask('GET', 'jobs/none'));
      const answers = await Promise.all(batch);
      return answers.some(({ status }) => status === 429);
    });
    expect((await there.ask('GET', 'jobs/none')).status).toBe(404);
  });

  it('the report of a verification is the same on both instances, with its findings, in health and in the metrics', async () => {
    await admins[0].did('PUT', 'sem/world/fact/copied/value', { body: { value: 1 } });
    await log.copyFirst('sem-world/fact/copied/value', 'elsewhere-1');
    const { body } = await admins[0].did<IntegrityReport>('POST', 'integrity/verification', {
      body: {},
    });
    expect(body.findings).toStrictEqual([
      { stream: 'elsewhere-1', number: 0, problem: 'unknown_category' },
    ]);
    for (const [index, service] of services.entries()) {
      const found = await admins[index as 0 | 1].get('integrity/findings');
      expect(found).toStrictEqual({ last: body, running: null });
      const ready = await service.call<{ details: Record<string, { found: number }> }>(
        'GET',
        '/health/ready',
      );
      expect(ready.body.details['event_log']?.found).toBe(1);
      const metrics = await service.call<string>('GET', '/metrics');
      expect(metrics.body).toContain(
        'mace_integrity_findings{category="unknown",problem="unknown_category"} 1',
      );
    }
  });

  it('a caller of one instance joins the verification that another instance runs', async () => {
    const report = {
      ...{ started_at: '2026-01-01T00:00:00.000Z', finished_at: null, events: 7, streams: 0 },
      ...{ decisions: false, decided: 0, found: 0, findings: [] },
    };
    const other = new SharedRun<object>(rows, 'event_log');
    const held = await other.begin(() => ({ report, counts: {} }), {});
    const answer = admins[0].did<IntegrityReport>('POST', 'integrity/verification', {
      body: { decisions: true },
    });
    await until('the caller has joined', async () => {
      const asked = 'select from verification.run where decisions';
      return (await rows.query(asked)).length === 1;
    });
    const { running } = await admins[1].get<{ running: unknown }>('integrity/findings');
    expect(running).toStrictEqual(report);
    const finished = {
      ...report,
      ...{ finished_at: '2026-01-01T00:00:09.000Z', streams: 3, decisions: true },
    };
    await held?.end({ report: finished, counts: {} });
    expect((await answer).body).toStrictEqual(finished);
  });

  it('one instance at a time does the work that spans streams, and another one goes on with it', async () => {
    const holder = async (): Promise<number | undefined> => {
      const held = await rows.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and granted
           and objid = hashtext('task obligations')::oid
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(held.length).toBeLessThan(2);
      return held[0]?.pid;
    };
    let first: number | undefined;
    await until('an instance holds the lease', async () => (first = await holder()) !== undefined);
    await rows.query('select pg_terminate_backend($1)', [first]);
    await until('an instance holds it again', async () => {
      const next = await holder();
      return next !== undefined && next !== first;
    });
  });

  it('a refused write in the file of an instance that has ended moves to the queue that all instances share', async () => {
    await until('the other instance lists the write', async () => {
      const { entries } = await admins[1].get<{ entries: { id: string }[] }>('admin/queue');
      return entries.some(({ id }) => id === refused.command_id);
    });
  });

  it('each instance says that the other one keeps artifacts in another folder', async () => {
    for (const service of services) {
      await until('the instance has found out', () =>
        service.log.some(({ type }) => type === 'artifacts_not_shared'),
      );
      const { body } = await service.call<{ details: Record<string, { shared: boolean }> }>(
        'GET',
        '/health/ready',
      );
      expect(body.details['artifacts']?.shared).toBe(false);
    }
  });

  it('a job that one instance has started belongs to its agent on the other instance as well', async () => {
    const owner = await Caller.of(services[0], 'agent', { sub: 'owner' });
    await owner.did('POST', 'jobs', { body: { job_seed: 'owned' } });
    const stranger = await Caller.of(services[1], 'agent', { sub: 'stranger' });
    await stranger.refused('PERMISSION_DENIED', 'POST', 'jobs/owned/ticks', { body: {} });
  });
});
