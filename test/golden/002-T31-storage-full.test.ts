import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { RequestSeal } from '#apps/api/storage-queue/request-seal.js';
import { auditStream } from '#domain/stream-names.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { TEST_MACS } from '#test/support/product-projections.js';
import { keyedHashJson } from '#domain/determinism/hash.js';
import { MaceClient } from '#client/mace-client.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { assertReported, failureOf } from '#test/support/failure.js';
import {
  startOwnEventStore,
  startTestPostgres,
  type OwnEventStore,
  type TestServer,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { eventsIn } from '../faults/support/log.js';
import { restartWithQuota } from '../faults/support/restart-with-quota.js';
import { until } from '../faults/support/until.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

interface Queue {
  readonly entries: readonly {
    readonly id: string;
    readonly verified: boolean;
    readonly command: string;
    readonly keyed: boolean;
    readonly stream: string;
    readonly last_code: string;
    readonly waits_for: 'room' | 'person';
    readonly refused_at: string;
  }[];
}

let eventStore: OwnEventStore;
let postgres: TestServer;
let log: EventStore;
let service: TestService;
let admin: Caller;
const dataDir = temporaryFolder('storage-full');

beforeAll(async () => {
  [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
  log = connectEventStore(eventStore.url);
  await startService();
});
afterAll(async () => {
  await log?.close();
  await service?.stop();
  await Promise.all([eventStore?.stop(), postgres?.stop()]);
});

async function startService(more: Readonly<Record<string, string>> = {}): Promise<void> {
  const environment = { MACE_DATA_DIR: dataDir.path, ...more };
  service = await TestService.start({ servers: { eventStore, postgres }, environment });
  admin = await Caller.of(service, 'admin');
}

const setRoom = (quotaBytes: number | undefined) =>
  restartWithQuota(eventStore, service, quotaBytes);
const fill = () => setRoom(0);
const makeRoom = () => setRoom(undefined);

const queue = async () => (await admin.get<Queue>('admin/queue')).entries;
const path = (name: string) => `sem/world/fact/${name}/value`;
const put = (name: string, value: string, key?: string) =>
  admin.refused('STORAGE_FULL', 'PUT', path(name), {
    body: { value },
    ...(key === undefined ? {} : { key }),
  });
const missing = (name: string) => admin.refused('SEM_NOT_FOUND', 'GET', path(name));

test('002-T31 [stage0] [golden] [critical] a write to a full log is refused with the fixed text, and logged, and nothing is written', async () => {
  await admin.did('PUT', path('before'), { body: { value: 'was there' } });
  await fill();
  const body = { value: 'cerulean' };
  const refused = await admin.ask('PUT', path('refused'), { body, key: 'refused-1' });
  const stream = 'sem-world/fact/refused/value';
  const line = assertReported(service, refused, failureOf('STORAGE_FULL', { stream }));
  expect(JSON.stringify(service.log)).not.toContain('cerulean');
  expect(line).toMatchObject({
    key: 'world/fact/refused/value',
    stream,
    body_hash: keyedHashJson(TEST_KEYS.MACE_SIGNING_KEY, body),
    policy: expect.stringContaining('MACE_EVENTSTORE_URL'),
  });
  const { body: metrics } = await service.call<string>('GET', '/metrics');
  expect(metrics).toMatch(/^mace_failures_total\{code="STORAGE_FULL"\} 1$/m);
  // The write is not dropped, and the health check says that the log is full.
  expect((await queue()).map((entry) => entry.stream)).toStrictEqual([stream]);
  const ready = await service.call<{ details: Record<string, object> }>('GET', '/health/ready');
  expect(ready.body.details['storage']).toMatchObject({ full: true, waiting_writes: 1 });

  await missing('refused');
  // Reads still work.
  expect((await admin.get(path('before')))['value']).toBe('was there');
  expect(await eventsIn(log, stream)).toHaveLength(0);
});

test('F2 a write that a full log refused waits in the queue, where only admins see it, without its values', async () => {
  const agent = await Caller.of(service, 'agent');
  await agent.refused('STORAGE_FULL', 'POST', 'jobs', {
    body: { job_seed: 'patient', goal: 'wait' },
    key: 'job-1',
  });
  await put('unkeyed', 'umber');
  const entries = await queue();
  expect(
    entries.map(({ command, keyed, waits_for }) => ({ command, keyed, waits_for })),
  ).toStrictEqual([
    { command: 'PutFact', keyed: true, waits_for: 'room' },
    { command: 'StartJob', keyed: true, waits_for: 'room' },
    { command: 'PutFact', keyed: false, waits_for: 'person' },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/cerulean|umber|"wait"/);
  await agent.refused('PERMISSION_DENIED', 'GET', 'admin/queue');
  await agent.refused('PERMISSION_DENIED', 'POST', `admin/queue/${entries[0]?.id}/retry`);
});

test('F2 the queue stores the request after the privacy gate, and sealed', async () => {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const { rows } = await database.query<RefusedWrite>(
    'select * from admin_queue.refused_write order by seq limit 1',
  );
  await database.end();
  const [stored] = rows;
  ensure(stored);
  const seal = new RequestSeal(
    { sealingKey: TEST_KEYS.MACE_SEALING_KEY, oldSealingKeys: [] },
    TEST_MACS,
  );
  const { identity, ...request } = await seal.open(stored);
  expect(request).toStrictEqual({
    method: 'PUT',
    url: `/v1/${path('refused')}`,
    body: { value: 'cerulean' },
    idempotency_key: 'refused-1',
    actor: { sub: named('admin'), roles: ['admin'] },
  });
  const [entry] = await queue();
  expect(identity.command_id).toBe(entry?.id);
  expect(identity.received_at <= String(entry?.refused_at)).toBe(true);
});

test('F2 an entry that somebody changed in Postgres shows nothing of the change, and is neither replayed nor removed', async () => {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const [honest] = (await queue()).filter(({ keyed }) => keyed === false);
  ensure(honest);
  const changes = {
    command: `'Forged'`,
    keyed: 'not keyed',
    caller: `'Forged'`,
    stream: `'Forged'`,
    route: `'Forged'`,
    trace_id: `'Forged'`,
    refused_at: `'2020-01-01T00:00:00.000Z'`,
  };
  const change = async (column: string, value: string, values: unknown[] = []) =>
    database.query(
      `update admin_queue.refused_write set ${column} = ${value} where command_id = '${honest.id}'`,
      values,
    );
  for (const [column, value] of Object.entries(changes)) {
    const { rows } = await database.query<Record<string, unknown>>(
      `select ${column} from admin_queue.refused_write where command_id = '${honest.id}'`,
    );
    await change(column, value);
    const shown = (await queue()).find(({ id }) => id === honest.id);
    expect(shown).toMatchObject({ verified: false, command: null, stream: null, keyed: null });
    expect(JSON.stringify(shown)).not.toMatch(/Forged|2020/);
    await admin.refused('INTEGRITY_FAILURE', 'POST', `admin/queue/${honest.id}/retry`);
    await change(column, '$1', [rows[0]?.[column]]);
    await change('last_code', `'STORAGE_FULL'`);
    await change('attempts', '0');
  }
  await database.end();
  expect((await queue()).find(({ id }) => id === honest.id)).toStrictEqual(honest);
  const { body } = await service.call<string>('GET', '/metrics');
  expect(body).toContain('mace_changed_rows_total{table="admin_queue.refused_write"}');
});

test('F2 while the log is full, a client’s retry adds no second queue entry, and an admin’s retry is refused as well', async () => {
  await put('refused', 'cerulean', 'refused-1');
  const entries = await queue();
  expect(entries).toHaveLength(3);
  await admin.refused('STORAGE_FULL', 'POST', `admin/queue/${entries[2]?.id}/retry`);
  expect(await queue()).toHaveLength(3);
});

test('F2 the queue survives a restart of the service', async () => {
  const before = await queue();
  await service.stop();
  await startService();
  expect((await queue()).map(({ id }) => id)).toStrictEqual(before.map(({ id }) => id));
});

test('F2 when the log has room again, queued commands with a key are executed once, however often their client retries', async () => {
  await makeRoom();
  const retries = Array.from({ length: 5 }, () =>
    admin.did('PUT', path('refused'), { body: { value: 'cerulean' }, key: 'refused-1' }),
  );
  const versions = (await Promise.all(retries)).map(({ body }) => body['version']);
  // All requests get the same answer.
  expect(new Set(versions)).toStrictEqual(new Set([0]));
  await until('the keyed commands are replayed', async () => (await queue()).length === 1);
  const ready = await service.call<{ details: Record<string, object> }>('GET', '/health/ready');
  expect(ready.body.details['storage']).toMatchObject({ full: false, waiting_writes: 1 });
  expect((await admin.get(path('refused')))['value']).toBe('cerulean');
  expect(await eventsIn(log, 'sem-world/fact/refused/value')).toHaveLength(1);
  expect((await admin.get('jobs/patient'))['status']).toBe('running');
  const audited = async () =>
    (await eventsIn(log, auditStream(named('admin')))).map(({ data }) => data);
  await until('the refusal is in the audit stream', async () => (await audited()).length > 0);
  expect(await audited()).toStrictEqual([
    {
      code: 'STORAGE_FULL',
      route: 'PUT /v1/sem/:scope/:entity_type/:entity_id/:attribute',
      stream: 'sem-world/fact/refused/value',
      uncounted_before: 0,
    },
  ]);
  await missing('unkeyed');
});

test('F2 a queued command without a key waits for an admin, and is written with the time at which it was received', async () => {
  const { admin: admins } = new MaceClient({ baseUrl: service.url, token: admin.token });
  const [entry] = (await admins.queue.list()).entries;
  ensure(entry?.command === 'PutFact' && entry.refused_at !== null);
  const answer = await admins.queue.retry(entry.id);
  expect(answer).toStrictEqual({ id: entry.id, status: 'written' });
  const { value, last_updated } = await admin.get(path('unkeyed'));
  expect(value).toBe('umber');
  expect(String(last_updated) <= entry.refused_at).toBe(true);
  expect(await queue()).toStrictEqual([]);
  await admin.refused('NOT_FOUND', 'POST', `admin/queue/${entry.id}/retry`);
});

test('F2 a queued command that a rule now refuses leaves the queue when an admin retries it', async () => {
  const { version } = await admin.post<{ version: number }>('jobs/patient/ticks');
  const body = { commands: [{ op: 'tick' }], expected_version: version };
  await fill();
  await admin.refused('STORAGE_FULL', 'POST', 'jobs/patient/commands', { body });
  await makeRoom();
  await admin.post('jobs/patient/ticks');
  const [entry] = await queue();
  await admin.refused('VERSION_CONFLICT', 'POST', `admin/queue/${entry?.id}/retry`);
  expect(await queue()).toStrictEqual([]);
});

test('F2 while Postgres is full as well, the queue is a file that survives a restart', async () => {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query(`
    create function pg_temp_full() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger full_disk before insert on admin_queue.refused_write
      for each row execute function pg_temp_full()`);
  await fill();
  await put('both_full', 'ochre', 'both-full-1');
  expect((await queue()).map(({ stream }) => stream)).toStrictEqual([
    'sem-world/fact/both_full/value',
  ]);
  await service.stop();
  await startService();
  expect(await queue()).toHaveLength(1);
  await database.query('drop trigger full_disk on admin_queue.refused_write');
  await database.end();
  await makeRoom();
  await until('it is written', async () => (await queue()).length === 0);
  expect((await admin.get(path('both_full')))['value']).toBe('ochre');
});

test('F2 a queued request that the current sealing key cannot open stays in the queue until the right key is back', async () => {
  await fill();
  await put('sealed', 'sienna', 'sealed-1');
  await service.stop();
  await startService({ MACE_SEALING_KEY: 'another:Xk2mQ9vT7bLw4RzN8cJd5HsF1gPy6UeA' });
  await makeRoom();
  await until('it was tried in vain', async () => (await queue())[0]?.waits_for === 'person');
  const [entry] = await queue();
  ensure(entry?.last_code === 'INTERNAL');
  // The label cannot be checked with this key, so it is not shown.
  expect([entry.verified, entry.stream]).toStrictEqual([false, null]);
  // The client’s own retry, while the log is full again, does not hide why the entry waits.
  await fill();
  await put('sealed', 'sienna', 'sealed-1');
  expect((await queue())[0]?.last_code).toBe('INTERNAL');
  await makeRoom();
  await admin.refused('INTERNAL', 'POST', `admin/queue/${entry.id}/retry`);
  await service.stop();
  await startService();
  await admin.post(`admin/queue/${entry.id}/retry`);
  expect((await admin.get(path('sealed')))['value']).toBe('sienna');
  expect(await queue()).toStrictEqual([]);
});

test('F2 two instances that empty one queue lose nothing and write nothing twice', async () => {
  await fill();
  const names = Array.from({ length: 8 }, (_, index) => `waiting_${index}`);
  await Promise.all(names.map((name) => put(name, name, `key-${name}`)));
  expect(await queue()).toHaveLength(names.length);
  const other = await TestService.start({ servers: { eventStore, postgres } });
  await makeRoom();
  await until('two instances have emptied the queue', async () => (await queue()).length === 0);
  for (const name of names)
    expect(await eventsIn(log, `sem-world/fact/${name}/value`)).toHaveLength(1);
  await other.stop();
});
