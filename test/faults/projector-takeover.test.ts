import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_MODEL_NAMES } from '#apps/api/platform/http/reads-from.decorator.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { projectionRecords } from '#read-model/projection-records.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { ProjectorProcess } from '#test/support/projector-process.js';
import { type Proxy, startProxy } from '#test/support/proxy.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { assertRowsAreTheFold } from './support/read-models.js';
import { until } from './support/until.js';

const ALL = [...READ_MODEL_NAMES].toSorted();
const HALF = ['episodes', 'sem'];
const OTHERS = ALL.filter((name) => !HALF.includes(name));

interface Ready {
  readonly details: Readonly<Record<string, { readonly status: string; readonly reason?: string }>>;
}

describe('Several projectors', () => {
  let eventStore: TestServer;
  let postgres: TestServer;
  let log: EventStore;
  let rows: Postgres;
  let service: TestService;
  let admin: Caller;
  const running = new Set<ProjectorProcess>();
  const proxies: Proxy[] = [];

  beforeAll(async () => {
    [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
    log = connectEventStore(eventStore.url);
    rows = new Postgres({ url: postgres.url, maxConnections: 3 });
    const first = start();
    const servers = { eventStore, postgres };
    service = await TestService.start({ servers, environment: { MACE_PROJECTIONS: 'external' } });
    admin = await Caller.of(service, 'admin');
    await first.end();
  });
  afterEach(async () => {
    await Promise.all([...running].map((projector) => projector.end('SIGKILL')));
    running.clear();
    await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  });
  afterAll(async () => {
    await service?.stop();
    await rows?.close();
    await log?.close();
    await Promise.all([eventStore?.stop(), postgres?.stop()]);
  });

  function start(only?: readonly string[], postgresUrl = postgres.url): ProjectorProcess {
    const urls = { MACE_EVENTSTORE_URL: eventStore.url, MACE_POSTGRES_URL: postgresUrl };
    const args = only === undefined ? [] : ['--only', only.join(',')];
    const projector = ProjectorProcess.spawn(urls, ...args);
    running.add(projector);
    return projector;
  }

  async function startProxied(): Promise<{ projector: ProjectorProcess; proxy: Proxy }> {
    const proxy = await startProxy(postgres.url);
    proxies.push(proxy);
    return { projector: start(undefined, proxy.url), proxy };
  }

  /** Resolves once this projector leads exactly these read models and the service shows a new write in all. */
  async function leads(projector: ProjectorProcess, names: readonly string[]): Promise<void> {
    await until(`${projector.name} leads ${names.join(', ')}`, async () => {
      const records = await projectionRecords(rows);
      const led = records.filter(
        ({ leader, heartbeatSecondsAgo = Infinity }) =>
          leader === projector.name && heartbeatSecondsAgo < 3,
      );
      return led.map(({ name }) => name).join() === names.join();
    });
  }

  let round = 0;
  /** Writes a fact and a job, and resolves once every read model shows them. */
  async function writesAreShown(): Promise<void> {
    round += 1;
    const put = { body: { value: round } };
    await admin.did('PUT', `sem/world/takeover/round_${round}/value`, put);
    let position = '';
    await until('a job starts', async () => {
      const started = await admin.ask('POST', 'jobs', { body: { job_seed: `round-${round}` } });
      if (started.status === 201) position = positionOf(started);
      return started.status === 201;
    });
    await until('all read models show the writes', async () => {
      return (await admin.ask('GET', 'projections', { after: position })).status === 200;
    });
  }

  const rowsAreTheFold = (): Promise<void> => assertRowsAreTheFold(log, rows, postgres.url);

  it('X5 another projector takes over from one that is killed', async () => {
    const first = start();
    await leads(first, ALL);
    const second = start();
    await writesAreShown();
    await first.end('SIGKILL');
    await leads(second, ALL);
    await writesAreShown();
    await rowsAreTheFold();
  });

  it('X5 another projector takes over from one that is stopped, even within a transaction, and the first one does no harm when it goes on', async () => {
    const first = start();
    await leads(first, ALL);
    const second = start();
    await writesAreShown();
    // The row lock makes the leader stop in the middle of its transaction.
    const holder = await rows.connect();
    await holder.query('begin');
    await holder.query('select from sem.checkpoint for update');
    await admin.did('PUT', 'sem/world/takeover/stopped/value', { body: { value: 'stopped' } });
    await until('the leader waits for the row', async () => {
      const waiting = await rows.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    first.signal('SIGSTOP');
    await holder.query('rollback');
    await holder.end();
    await leads(second, ALL);
    await writesAreShown();
    first.signal('SIGCONT');
    await writesAreShown();
    await leads(second, ALL);
    await rowsAreTheFold();
    await second.end();
    await leads(first, ALL);
    await writesAreShown();
  });

  it('X5 another projector takes over from one that Postgres does not hear any more', async () => {
    const { projector: first, proxy } = await startProxied();
    await leads(first, ALL);
    const second = start();
    await writesAreShown();
    proxy.stall();
    await leads(second, ALL);
    await writesAreShown();
    proxy.flow();
    await writesAreShown();
    await rowsAreTheFold();
  });

  it('X5 a read model goes to the projector that is started for it, and back when this one ends', async () => {
    const all = start();
    await leads(all, ALL);
    const half = start(HALF);
    await leads(half, HALF);
    await leads(all, OTHERS);
    await writesAreShown();
    await admin.did('POST', 'projections/sem/rebuild', { body: {} });
    await admin.did('POST', 'projections/jobs/rebuild', { body: {} });
    await until('both read models are rebuilt', async () =>
      (await projectionRecords(rows)).every(({ rebuildRequested }) => !rebuildRequested),
    );
    await writesAreShown();
    const report = await admin.did<{ found: number }>('POST', 'integrity/verification', {
      body: {},
    });
    expect(report.body.found).toBe(0);
    await rowsAreTheFold();
    await half.end('SIGKILL');
    await leads(all, ALL);
    await writesAreShown();
  });

  it('X5 readiness names the read models that no process projects', async () => {
    const half = start(HALF);
    await leads(half, HALF);
    let ready: Ready | undefined;
    await until('readiness names the read models', async () => {
      const answer = await service.call<Ready>('GET', '/health/ready');
      ready = answer.body;
      return answer.status === 503 && ready.details['projection_jobs']?.status === 'down';
    });
    const down = Object.entries(ready?.details ?? {}).filter(([, { status }]) => status === 'down');
    expect(down).toStrictEqual(
      OTHERS.map((name) => [
        `projection_${name}`,
        expect.objectContaining({ reason: 'no process projects this read model' }),
      ]),
    );
    const rest = start(OTHERS);
    await leads(rest, OTHERS);
    await until('the service is ready', async () => {
      return (await service.call('GET', '/health/ready')).status === 200;
    });
    await writesAreShown();
  });
});
