import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { RequestSeal } from '#apps/api/storage-queue/refused-write.js';
import { auditStream } from '#domain/audit/audit.decider.js';
import { MaceClient } from '#client/mace-client.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { assertTold } from '#test/support/failure.js';
import {
  startTestEventStore,
  startTestPostgres,
  type TestEventStore,
  type TestServer,
} from '#test/support/servers.js';
import { TEST_KEYS, TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { eventsIn } from '../faults/support/log.js';
import { until } from '../faults/support/until.js';

interface Queue {
  readonly entries: readonly {
    readonly id: string;
    readonly command: string;
    readonly keyed: boolean;
    readonly stream: string;
    readonly last_code: string;
    readonly waits_for: 'room' | 'person';
    readonly refused_at: string;
  }[];
}

let eventStore: TestEventStore;
let postgres: TestServer;
let log: EventStore;
let service: TestService;
let admin: Caller;
const dataDir = temporaryFolder('storage-full');

before(async () => {
  [eventStore, postgres] = await Promise.all([startTestEventStore(), startTestPostgres()]);
  log = connectEventStore(eventStore.url);
  await startService();
});
after(async () => {
  await log?.close();
  await service?.stop();
  await Promise.all([eventStore?.stop(), postgres?.stop()]);
});

async function startService(more: Readonly<Record<string, string>> = {}): Promise<void> {
  const environment = { MACE_DATA_DIR: dataDir.path, ...more };
  service = await TestService.start({ servers: { eventStore, postgres }, environment });
  admin = await Caller.of(service, 'admin');
}

/** The log takes nothing more, or whatever comes. */
async function setRoom(quotaBytes: number | undefined): Promise<void> {
  await eventStore.kill();
  eventStore.limit(quotaBytes);
  await eventStore.restart();
  await until('the service finds the event store again', async () => {
    return (await service.call('GET', '/health/ready')).status === 200;
  });
}
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

test('002-T31 [stage0] [golden] [critical] a write that finds no room is refused with the fixed text, logged, and nothing of it is written', async () => {
  await admin.did('PUT', path('before'), { body: { value: 'was there' } });
  await fill();
  const body = { value: 'cerulean' };
  assertTold(service, await admin.ask('PUT', path('refused'), { body, key: 'refused-1' }), {
    code: 'STORAGE_FULL',
    user_message: 'My memory is full right now; I can’t store new information.',
    developer_message: 'There is no room for the append to sem-world/fact/refused/value.',
    severity: 'critical',
  });
  assert.ok(!JSON.stringify(service.log).includes('cerulean'));

  await missing('refused');
  assert.equal((await admin.get(path('before')))['value'], 'was there', 'reads go on');
  assert.equal((await eventsIn(log, 'sem-world/fact/refused/value')).length, 0);
});

test('F2 what was refused waits in the admin queue, without its values, for admins only', async () => {
  const agent = await Caller.of(service, 'agent');
  await agent.refused('STORAGE_FULL', 'POST', 'jobs', {
    body: { job_seed: 'patient', goal: 'wait' },
    key: 'job-1',
  });
  await put('unkeyed', 'umber');
  const entries = await queue();
  assert.deepEqual(
    entries.map(({ command, keyed, waits_for }) => ({ command, keyed, waits_for })),
    [
      { command: 'PutFact', keyed: true, waits_for: 'room' },
      { command: 'StartJob', keyed: true, waits_for: 'room' },
      { command: 'PutFact', keyed: false, waits_for: 'person' },
    ],
  );
  assert.ok(!/cerulean|umber|"wait"/.test(JSON.stringify(entries)));
  await agent.refused('PERMISSION_DENIED', 'GET', 'admin/queue');
  await agent.refused('PERMISSION_DENIED', 'POST', `admin/queue/${entries[0]?.id}/retry`);
});

test('F2 what is kept is the request as it was let through, sealed', async () => {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const { rows } = await database.query<{ sealed: string }>(
    'select sealed from admin_queue.refused_write order by seq limit 1',
  );
  await database.end();
  const { identity, ...request } = await new RequestSeal(TEST_KEYS.MACE_SEALING_KEY).open(
    rows[0]?.sealed ?? '',
  );
  assert.deepEqual(request, {
    method: 'PUT',
    url: `/v1/${path('refused')}`,
    body: { value: 'cerulean' },
    idempotency_key: 'refused-1',
    actor: { sub: 'admin-1', roles: ['admin'] },
  });
  const [entry] = await queue();
  assert.equal(identity.command_id, entry?.id);
  assert.ok(identity.received_at <= String(entry?.refused_at));
});

test('F2 a retry that finds no room either is the same entry, and a person’s retry is refused too', async () => {
  await put('refused', 'cerulean', 'refused-1');
  const entries = await queue();
  assert.equal(entries.length, 3);
  await admin.refused('STORAGE_FULL', 'POST', `admin/queue/${entries[2]?.id}/retry`);
  assert.equal((await queue()).length, 3);
});

test('F2 the queue survives a restart of the service', async () => {
  const before = await queue();
  await service.stop();
  await startService();
  assert.deepEqual(
    (await queue()).map(({ id }) => id),
    before.map(({ id }) => id),
  );
});

test('F2 when there is room, keyed commands are replayed once, whatever their client retries meanwhile', async () => {
  await makeRoom();
  const retries = Array.from({ length: 5 }, () =>
    admin.did('PUT', path('refused'), { body: { value: 'cerulean' }, key: 'refused-1' }),
  );
  const versions = (await Promise.all(retries)).map(({ body }) => body['version']);
  assert.deepEqual(new Set(versions), new Set([0]), 'all of them get one answer');
  await until('the keyed commands are replayed', async () => (await queue()).length === 1);
  assert.equal((await admin.get(path('refused')))['value'], 'cerulean');
  assert.equal((await eventsIn(log, 'sem-world/fact/refused/value')).length, 1);
  assert.equal((await admin.get('jobs/patient'))['status'], 'running');
  const audited = async () => (await eventsIn(log, auditStream('admin-1'))).map(({ data }) => data);
  await until('the refusal is in the audit stream', async () => (await audited()).length > 0);
  assert.deepEqual(await audited(), [
    {
      code: 'STORAGE_FULL',
      route: 'PUT /v1/sem/:scope/:entity_type/:entity_id/:attribute',
      stream: 'sem-world/fact/refused/value',
      uncounted_before: 0,
    },
  ]);
  await missing('unkeyed');
});

test('F2 a command without a key waits for a person, who writes it as of when it was received', async () => {
  const { admin: admins } = new MaceClient({ baseUrl: service.url, token: admin.token });
  const [entry] = (await admins.queue.list()).entries;
  assert.equal(entry?.command, 'PutFact');
  const answer = await admins.queue.retry(entry.id);
  assert.deepEqual(answer, { id: entry.id, status: 'written' });
  const { value, last_updated } = await admin.get(path('unkeyed'));
  assert.equal(value, 'umber');
  assert.ok(
    String(last_updated) <= entry.refused_at,
    `${String(last_updated)} is when it was received`,
  );
  assert.deepEqual(await queue(), []);
  await admin.refused('NOT_FOUND', 'POST', `admin/queue/${entry.id}/retry`);
});

test('F2 a kept command that a rule refuses by then leaves the queue when a person has seen it', async () => {
  const { version } = await admin.post<{ version: number }>('jobs/patient/ticks');
  const body = { commands: [{ op: 'tick' }], expected_version: version };
  await fill();
  await admin.refused('STORAGE_FULL', 'POST', 'jobs/patient/commands', { body });
  await makeRoom();
  await admin.post('jobs/patient/ticks');
  const [entry] = await queue();
  await admin.refused('VERSION_CONFLICT', 'POST', `admin/queue/${entry?.id}/retry`);
  assert.deepEqual(await queue(), []);
});

test('F2 while Postgres has no room either, the queue is a file that survives a restart', async () => {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query(`
    create function pg_temp_full() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger full_disk before insert on admin_queue.refused_write
      for each row execute function pg_temp_full()`);
  await fill();
  await put('both_full', 'ochre', 'both-full-1');
  assert.deepEqual(
    (await queue()).map(({ stream }) => stream),
    ['sem-world/fact/both_full/value'],
  );
  await service.stop();
  await startService();
  assert.equal((await queue()).length, 1);
  await database.query('drop trigger full_disk on admin_queue.refused_write');
  await database.end();
  await makeRoom();
  await until('it is written', async () => (await queue()).length === 0);
  assert.equal((await admin.get(path('both_full')))['value'], 'ochre');
});

test('F2 what cannot be opened under this sealing key stays, until the right one is back', async () => {
  await fill();
  await put('sealed', 'sienna', 'sealed-1');
  await service.stop();
  await startService({ MACE_SEALING_KEY: 'another:Xk2mQ9vT7bLw4RzN8cJd5HsF1gPy6UeA' });
  await makeRoom();
  await until('it was tried in vain', async () => (await queue())[0]?.waits_for === 'person');
  const [entry] = await queue();
  assert.equal(entry?.last_code, 'INTERNAL');
  await admin.refused('INTERNAL', 'POST', `admin/queue/${entry.id}/retry`);
  await service.stop();
  await startService();
  await admin.post(`admin/queue/${entry.id}/retry`);
  assert.equal((await admin.get(path('sealed')))['value'], 'sienna');
  assert.deepEqual(await queue(), []);
});

test('F2 two instances that empty one queue lose nothing and double nothing', async () => {
  await fill();
  const names = Array.from({ length: 8 }, () => randomUUID().replaceAll('-', '_'));
  await Promise.all(names.map((name) => put(name, name, `key-${name}`)));
  assert.equal((await queue()).length, names.length);
  const other = await TestService.start({ servers: { eventStore, postgres } });
  await makeRoom();
  await until('two instances have emptied the queue', async () => (await queue()).length === 0);
  for (const name of names)
    assert.equal((await eventsIn(log, `sem-world/fact/${name}/value`)).length, 1);
  await other.stop();
});
