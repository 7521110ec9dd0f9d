import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { JsonObject } from '#domain/json.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { startOwnEventStore, startOwnPostgres, type OwnServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { type Answered } from '#test/support/service-client.js';
import { eventsIn } from './support/log.js';
import { assertRowsAreTheFold } from './support/read-models.js';
import { until } from './support/until.js';

const FACT = '/v1/sem/world/fact/ohms_law/definition';

let eventStore: OwnServer;
let postgres: OwnServer;
let service: TestService;
let log: EventStore;
let rows: Postgres;
let agent: string;
let admin: string;

beforeAll(async () => {
  [eventStore, postgres] = await Promise.all([startOwnEventStore(), startOwnPostgres()]);
  service = await TestService.start({ servers: { eventStore, postgres } });
  log = connectEventStore(eventStore.url);
  rows = new Postgres({ url: postgres.url, maxConnections: 2 });
  agent = await service.token('agent');
  admin = await service.token('admin');
});

afterAll(async () => {
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

/** Asserts the whole error envelope, with the fixed texts of the error table (SPEC §10). */
function assertEnvelope(answer: Answered<unknown>, code: ErrorCode, what: string): void {
  const { status, severity, user_message } = ERROR_TABLE[code];
  const { developer_message, meta, ...fixed } = answer.body as ErrorEnvelope;
  expect([what, fixed]).toStrictEqual([what, { error_code: code, status, severity, user_message }]);
  expect([what, answer.status]).toStrictEqual([what, status]);
  expect(developer_message.length).toBeGreaterThan(0);
  expect([what, Object.keys(meta).sort()]).toStrictEqual([
    what,
    ['query_id', 'timestamp', 'trace_id'],
  ]);
}

async function startJob(seed: string): Promise<void> {
  await until(`job ${seed} starts`, async () => {
    const { status } = await post('/v1/jobs', { job_seed: seed }, `start-${seed}`);
    return status === 201;
  });
}

const isReady = async (): Promise<boolean> =>
  (await service.call('GET', '/health/ready')).status === 200;

test('while the event store is down, commands fail with the fixed error, and queries are answered', async () => {
  await startJob('log-down');
  const put = { token: admin, body: { value: 'V = I × R' } };
  expect((await service.call('PUT', FACT, put)).status).toBe(200);
  const episode = { summary: 'A resistor got warm', payload: { ohms: 5 } };
  const { body: written } = await post('/v1/jobs/log-down/episodes', episode);
  await until('the episode is found', async () => {
    const found = await post('/v1/episodes/query', { query_terms: 'resistor' });
    return (found.body['results'] as JsonObject[]).length === 1;
  });
  expect((await read(FACT)).headers.get('mace-stale')).toBeNull();

  await eventStore.kill();
  const { body: health } = await service.call<{ details: unknown }>('GET', '/health/ready');
  expect(health.details).toMatchObject({
    event_store: {
      status: 'down',
      version: expect.stringMatching(/^24\.10\./),
      reason: expect.stringMatching(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/),
    },
  });
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
  assertEnvelope(await service.call('DELETE', FACT, { token: admin }), 'SEM_WRITE_FAIL', 'DELETE');

  const fact = await read(FACT);
  expect(fact.status).toBe(200);
  expect(fact.body['value']).toBe('V = I × R');
  expect(fact.headers.get('mace-stale')).toBe('true');
  for (const path of ['/v1/sem?prefix=world/', '/v1/jobs', '/v1/action-requests'])
    expect([path, (await read(path)).status]).toStrictEqual([path, 200]);
  // Only the log's end shows that something does not exist.
  for (const path of [
    '/v1/episodes/ep:3b241101-e2bb-4255-8caf-4136c566a962',
    `/v1/sem-snapshots/sem:${'0'.repeat(64)}`,
  ])
    assertEnvelope(await read(path), 'READ_UNAVAILABLE', path);
  const found = await post('/v1/episodes/query', { query_terms: 'resistor' });
  expect(found.status).toBe(200);
  expect(
    (found.body['results'] as JsonObject[]).map(({ episodic_id }) => episodic_id),
  ).toStrictEqual([written['episodic_id']]);
  expect(await isReady()).toBe(false);
  expect((await service.call('GET', '/health/live')).status).toBe(200);

  await eventStore.restart();
  await until('the service is ready again', isReady);
  const [tick] = await Promise.all(
    ['ticks', 'ticks'].map((verb) => post(`${job}/${verb}`, {}, `down-${job}/ticks`)),
  );
  expect(tick?.status).toBe(200);
  const types = (await eventsIn(log, 'job-log-down')).map(({ type }) => type);
  expect(types).toStrictEqual(['job_started', 'episode_written', 'ticked']);
  expect((await read(FACT)).headers.get('mace-stale')).toBeNull();
  await assertRowsAreTheFold(log, rows, postgres.url);
});

test('while Postgres is down, running jobs accept commands, but reads and job starts answer READ_UNAVAILABLE; all events are projected later', async () => {
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
    expect([path, (await post(path, body)).status]).toStrictEqual([path, status]);
  const put = { token: admin, body: { value: 'I = V / R' } };
  expect((await service.call('PUT', FACT, put)).status).toBe(200);
  expect((await read(job)).body['tick']).toBe(2);
  expect((await read(`${job}/events`)).status).toBe(200);

  for (const path of [FACT, '/v1/sem?prefix=world/', '/v1/jobs', '/v1/action-requests'])
    assertEnvelope(await read(path), 'READ_UNAVAILABLE', path);
  const query = await post('/v1/episodes/query', { query_terms: 'resistor' });
  assertEnvelope(query, 'READ_UNAVAILABLE', 'episodes/query');
  const start = await post('/v1/jobs', { goal: 'too early' }, 'early');
  assertEnvelope(start, 'READ_UNAVAILABLE', 'a job start');
  expect(await isReady()).toBe(false);
  expect((await post(`${job}/end`, {})).status).toBe(200);

  await postgres.restart();
  await until('the service is ready again', isReady);
  await until('the early start is taken', async () => {
    return (await post('/v1/jobs', { goal: 'too early' }, 'early')).status === 201;
  });
  const again = await post('/v1/jobs', { goal: 'too early' }, 'early');
  const shown = { 'mace-min-position': again.headers.get('mace-position') ?? '' };
  const jobs = (await read('/v1/jobs', shown)).body['jobs'] as JsonObject[];
  const early = jobs.filter(({ goal }) => goal === 'too early');
  expect(early.map(({ job_seed }) => job_seed)).toStrictEqual([again.body['job_seed']]);
  await until('the accepted episode is found', async () => {
    const found = await post('/v1/episodes/query', { query_terms: 'postgres' });
    return (found.body['results'] as JsonObject[]).length === 1;
  });
  expect((await read(FACT)).body['value']).toBe('I = V / R');
  await assertRowsAreTheFold(log, rows, postgres.url);
});
