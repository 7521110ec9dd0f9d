import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { JsonObject } from '#domain/json.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { type Answered, TestService } from '#test/support/service.js';
import { eventsIn } from './support/log.js';
import { assertRowsAreTheFold } from './support/read-models.js';
import { until } from './support/until.js';

const FACT = '/v1/sem/world/fact/ohms_law/definition';
const timeout = 150_000;

let eventStore: TestServer;
let postgres: TestServer;
let service: TestService;
let log: EventStore;
let rows: Postgres;
let agent: string;
let admin: string;

before(async () => {
  [eventStore, postgres] = await Promise.all([
    startTestEventStore(),
    startTestPostgres({ own: true }),
  ]);
  service = await TestService.start({ servers: { eventStore, postgres } });
  log = connectEventStore(eventStore.url);
  rows = new Postgres({ url: postgres.url, maxConnections: 2 });
  agent = await service.token('agent');
  admin = await service.token('admin');
});

after(async () => {
  await log.close();
  await rows.close();
  await service.stop();
  await Promise.all([eventStore.stop(), postgres.stop()]);
});

const post = (path: string, body: JsonObject, key?: string) =>
  service.call<JsonObject>('POST', path, {
    token: agent,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

const read = (path: string, headers: Record<string, string> = {}) =>
  service.call<JsonObject>('GET', path, { token: admin, headers });

/** The whole envelope, with the texts of the one table (SPEC §10). */
function assertEnvelope(answer: Answered<unknown>, code: ErrorCode, what: string): void {
  const { status, severity, user_message } = ERROR_TABLE[code];
  const { developer_message, meta, ...fixed } = answer.body as ErrorEnvelope;
  assert.deepEqual(fixed, { error_code: code, status, severity, user_message }, what);
  assert.equal(answer.status, status, what);
  assert.ok(developer_message.length > 0, what);
  assert.deepEqual(Object.keys(meta).sort(), ['query_id', 'timestamp', 'trace_id'], what);
}

async function startJob(seed: string): Promise<void> {
  await until(`job ${seed} starts`, async () => {
    const { status } = await post('/v1/jobs', { job_seed: seed }, `start-${seed}`);
    return status === 201;
  });
}

const isReady = async (): Promise<boolean> =>
  (await service.call('GET', '/health/ready')).status === 200;

test(
  'while the event store is down commands fail with the fixed error and queries go on',
  { timeout },
  async () => {
    await startJob('log-down');
    const put = { token: admin, body: { value: 'V = I × R' } };
    assert.equal((await service.call('PUT', FACT, put)).status, 200);
    const episode = { summary: 'A resistor got warm', payload: { ohms: 5 } };
    const { body: written } = await post('/v1/jobs/log-down/episodes', episode);
    await until('the episode is found', async () => {
      const found = await post('/v1/episodes/query', { query_terms: 'resistor' });
      return (found.body['results'] as JsonObject[]).length === 1;
    });
    assert.equal((await read(FACT)).headers.get('mace-stale'), null);

    await eventStore.kill();
    const job = '/v1/jobs/log-down';
    const commands: [string, JsonObject][] = [
      [`${job}/wm`, { type: 'fact', value: 1 }],
      [`${job}/ticks`, {}],
      [`${job}/goals`, { goal: 'cool it' }],
      [`${job}/episodes`, episode],
      [`${job}/commands`, { commands: [{ op: 'tick' }] }],
      [`${job}/end`, {}],
      ['/v1/jobs', {}],
    ];
    for (const [path, body] of commands)
      assertEnvelope(await post(path, body, `down-${path}`), 'MEMORY_WRITE_FAIL', path);
    assertEnvelope(await service.call('PUT', FACT, put), 'SEM_WRITE_FAIL', 'PUT');
    assertEnvelope(
      await service.call('DELETE', FACT, { token: admin }),
      'SEM_WRITE_FAIL',
      'DELETE',
    );

    const fact = await read(FACT);
    assert.equal(fact.status, 200);
    assert.equal(fact.body['value'], 'V = I × R');
    assert.equal(fact.headers.get('mace-stale'), 'true');
    for (const path of ['/v1/sem?prefix=world/', '/v1/jobs', '/v1/action-requests'])
      assert.equal((await read(path)).status, 200, path);
    const found = await post('/v1/episodes/query', { query_terms: 'resistor' });
    assert.equal(found.status, 200);
    assert.deepEqual(
      (found.body['results'] as JsonObject[]).map(({ episodic_id }) => episodic_id),
      [written['episodic_id']],
    );
    assert.equal(await isReady(), false);
    assert.equal((await service.call('GET', '/health/live')).status, 200);

    await eventStore.restart();
    await until('the service is ready again', isReady);
    const [tick] = await Promise.all(
      ['ticks', 'ticks'].map((verb) => post(`${job}/${verb}`, {}, `down-${job}/ticks`)),
    );
    assert.equal(tick?.status, 200);
    const types = (await eventsIn(log, 'job-log-down')).map(({ type }) => type);
    assert.deepEqual(types, ['job_started', 'episode_written', 'ticked']);
    assert.equal((await read(FACT)).headers.get('mace-stale'), null);
    await assertRowsAreTheFold(log, rows, postgres.url);
  },
);

test(
  'while Postgres is down running jobs go on, reads and job starts say so, and all is projected after',
  { timeout },
  async () => {
    await startJob('rows-down');
    const job = '/v1/jobs/rows-down';
    await postgres.kill();

    const commands: [string, JsonObject, number][] = [
      [`${job}/wm`, { type: 'fact', value: { held: 'in the log' } }, 201],
      [`${job}/wm/wm:rows-down:1/references`, {}, 200],
      [`${job}/goals`, { goal: 'wait for the rows' }, 200],
      [`${job}/ticks`, { count: 2 }, 200],
      [`${job}/episodes`, { summary: 'Postgres was away' }, 201],
      [`${job}/commands`, { commands: [{ op: 'wm_insert', type: 'hint', value: 2 }] }, 200],
      [`${job}/wm/find`, { equals: { '/type': 'hint' } }, 200],
    ];
    for (const [path, body, status] of commands)
      assert.equal((await post(path, body)).status, status, path);
    const put = { token: admin, body: { value: 'I = V / R' } };
    assert.equal((await service.call('PUT', FACT, put)).status, 200);
    assert.equal((await read(job)).body['tick'], 2);
    assert.equal((await read(`${job}/events`)).status, 200);

    for (const path of [FACT, '/v1/sem?prefix=world/', '/v1/jobs', '/v1/action-requests'])
      assertEnvelope(await read(path), 'READ_UNAVAILABLE', path);
    const query = await post('/v1/episodes/query', { query_terms: 'resistor' });
    assertEnvelope(query, 'READ_UNAVAILABLE', 'episodes/query');
    const start = await post('/v1/jobs', { goal: 'too early' }, 'early');
    assertEnvelope(start, 'READ_UNAVAILABLE', 'a job start');
    assert.equal(await isReady(), false);
    assert.equal((await post(`${job}/end`, {})).status, 200);

    await postgres.restart();
    await until('the service is ready again', isReady);
    await until('the early start is taken', async () => {
      return (await post('/v1/jobs', { goal: 'too early' }, 'early')).status === 201;
    });
    const again = await post('/v1/jobs', { goal: 'too early' }, 'early');
    const shown = { 'mace-min-position': again.headers.get('mace-position') ?? '' };
    const jobs = (await read('/v1/jobs', shown)).body['jobs'] as JsonObject[];
    const early = jobs.filter(({ goal }) => goal === 'too early');
    assert.deepEqual(
      early.map(({ job_seed }) => job_seed),
      [again.body['job_seed']],
    );
    await until('what was accepted is found', async () => {
      const found = await post('/v1/episodes/query', { query_terms: 'postgres' });
      return (found.body['results'] as JsonObject[]).length === 1;
    });
    assert.equal((await read(FACT)).body['value'], 'I = V / R');
    await assertRowsAreTheFold(log, rows, postgres.url);
  },
);
