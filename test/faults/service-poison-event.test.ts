import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { eventId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { productProjections } from '#test/support/product-projections.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { eventsIn } from './support/log.js';
import { until } from './support/until.js';

const STREAM = 'job-poisoned';
const TYPE = 'wm_teleported';
const SECRET = 'nobody may see this value';

const READ_MODELS = await productProjections();
/** The read models that are made of job streams, and the others. */
const concerned = READ_MODELS.filter(({ categories }) => categories.includes('job'));
const others = READ_MODELS.filter(({ categories }) => !categories.includes('job'));

let servers: { readonly eventStore: TestServer; readonly postgres: TestServer };
let service: TestService;
let log: EventStore;
let agent: string;
let council: string;

before(async () => {
  servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
  service = await TestService.start({ servers });
  log = connectEventStore(servers.eventStore.url);
  agent = await service.token('agent');
  council = await service.token('council');
});

after(async () => {
  await log.close();
  await service.stop();
  await Promise.all([servers.eventStore.stop(), servers.postgres.stop()]);
});

const post = (path: string, body: JsonObject) =>
  service.call<JsonObject>('POST', path, { token: agent, body });

/** An event of a type that this release does not know, in an unbroken chain: as a later release writes it. */
async function poison(): Promise<bigint> {
  const last = await log.lastOf(STREAM);
  assert.ok(last);
  const number = last.number + 1;
  const data = { value: SECRET };
  const { hash: prev, ...before } = last.metadata;
  const unhashed = {
    ...before,
    event_id: eventId(STREAM, number, TYPE),
    command_id: randomUUID(),
  };
  const hash = chainHash(prev, { stream: STREAM, number, type: TYPE, data, metadata: unhashed });
  const metadata = { ...unhashed, hash } as EventMetadata;
  const event = { id: randomUUID(), type: TYPE, data, metadata };
  return (await log.append(STREAM, last.number, [event])).position;
}

interface Part {
  readonly status: string;
  readonly position?: string;
  readonly stopped?: JsonObject | null;
}

async function health(): Promise<{ status: number; parts: Record<string, Part> }> {
  const { status, body } = await service.call<{ details: Record<string, Part> }>(
    'GET',
    '/health/ready',
  );
  return { status, parts: body.details };
}

const hasStopped = (parts: Record<string, Part>, name: string): boolean =>
  (parts[`projection_${name}`]?.stopped ?? null) !== null;

/** How many read models this service has seen stop at the event, as its log tells. */
const alarms = (): number =>
  service.log.filter(({ level, type }) => level === 'error' && type === TYPE).length;

test('a poison event stops the read models it concerns, loudly, and nothing else', async () => {
  for (const job_seed of ['poisoned', 'healthy'])
    assert.equal((await post('/v1/jobs', { job_seed })).status, 201);
  const episode = await post('/v1/jobs/healthy/episodes', { summary: 'All was well' });
  await until('everything is projected', async () => {
    const end = await log.lastPosition();
    const { parts } = await health();
    return READ_MODELS.every(({ name }) => parts[`projection_${name}`]?.position === String(end));
  });
  const position = await poison();

  await until('health tells of it', async () => (await health()).status === 503);
  await until('all that it concerns have stopped', async () => {
    const { parts } = await health();
    return concerned.every(({ name }) => hasStopped(parts, name));
  });
  const { parts } = await health();
  for (const { name } of concerned) {
    const part = parts[`projection_${name}`];
    assert.equal(part?.status, 'down', name);
    const { position: at, stream, type } = part.stopped ?? {};
    assert.deepEqual({ at, stream, type }, { at: position.toString(), stream: STREAM, type: TYPE });
    assert.ok(BigInt(part.position ?? 0) < position, `${name} stands before it`);
  }
  for (const { name } of others) assert.equal(parts[`projection_${name}`]?.status, 'up', name);

  const metrics = (await service.call<string>('GET', '/metrics')).body;
  const stopped = (name: string) => `mace_projection_stopped{projection="${name}"} `;
  for (const { name } of concerned) {
    assert.ok(metrics.includes(`${stopped(name)}1`), name);
    const stands = parts[`projection_${name}`]?.position;
    assert.ok(metrics.includes(`mace_projection_position{projection="${name}"} ${stands}`), name);
  }
  for (const { name } of others) assert.ok(metrics.includes(`${stopped(name)}0`), name);

  const seen = JSON.stringify([service.log, parts, metrics]);
  assert.ok(!seen.includes(SECRET), 'no value of the event is shown');
  assert.equal(alarms(), concerned.length);

  // Other jobs go on, and so do the read models that it does not concern.
  for (const [path, body] of [
    ['wm', { type: 'fact', value: 1 }],
    ['ticks', {}],
    ['end', {}],
  ] as const)
    assert.ok((await post(`/v1/jobs/healthy/${path}`, body)).status < 300, path);
  const proposal = await post('/v1/action-requests', {
    episodic_id: episode.body['episodic_id'] as string,
    target_sem_key: 'world/fact/poison/known',
    value: true,
    justification: 'It goes on.',
  });
  assert.equal(proposal.status, 201);
  await until('the request is listed', async () => {
    const list = await service.call<JsonObject>('GET', '/v1/action-requests', { token: council });
    const requests = list.body['action_requests'] as JsonObject[];
    return requests.some(({ request_id }) => request_id === proposal.body['request_id']);
  });
});

test('what cannot be read takes no command, and a start says that the read models lag', async () => {
  const before = (await eventsIn(log, STREAM)).length;
  const tick = await post('/v1/jobs/poisoned/ticks', {});
  assert.ok(tick.status >= 400, String(tick.status));
  assert.equal((await eventsIn(log, STREAM)).length, before);
  const start = await post('/v1/jobs', {});
  assert.equal(start.status, 503);
  assert.equal(start.body['error_code'], 'PROJECTION_LAG');
});

test('a restart does not pass over a poison event', async () => {
  const before = (await health()).parts['projection_jobs']?.position;
  await service.stop();
  service = await TestService.start({ servers });
  await until('the new owner has met it, too', () => alarms() === concerned.length);
  const { parts } = await health();
  assert.ok(concerned.every(({ name }) => hasStopped(parts, name)));
  assert.equal(parts['projection_jobs']?.position, before);
});
