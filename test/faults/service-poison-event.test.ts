import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { eventId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { productProjections } from '#test/support/product-projections.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { eventsIn } from './support/log.js';
import { until } from './support/until.js';
import { ensure } from '#test/support/ensure.js';

const STREAM = 'job-poisoned';
const TYPE = 'wm_teleported';
const SECRET = 'nobody may see this value';

const READ_MODELS = await productProjections();
/** The read models that project job streams. All other read models must not be affected. */
const concerned = READ_MODELS.filter(({ categories }) => categories.includes('job'));
const others = READ_MODELS.filter(({ categories }) => !categories.includes('job'));

let servers: { readonly eventStore: TestServer; readonly postgres: TestServer };
let service: TestService;
let log: EventStore;
let agent: string;
let council: string;

beforeAll(async () => {
  servers = { eventStore: await startOwnEventStore(), postgres: await startTestPostgres() };
  service = await TestService.start({ servers });
  log = connectEventStore(servers.eventStore.url);
  agent = await service.token('agent');
  council = await service.token('council');
});

afterAll(async () => {
  await log.close();
  await service.stop();
  await Promise.all([servers.eventStore.stop(), servers.postgres.stop()]);
});

const post = (path: string, body: JsonObject) =>
  service.call<JsonObject>('POST', path, { token: agent, body });

/**
 * Appends an event with an unknown type and a valid hash, as a later release would. Returns its
 * position.
 */
async function poison(): Promise<bigint> {
  const last = await log.lastOf(STREAM);
  ensure(last);
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

/** The number of read models that have stopped at the event, counted in the log of this service. */
const alarms = (): number =>
  service.log.filter(({ level, type }) => level === 'error' && type === TYPE).length;

test('a poison event stops only the read models that project it, and health, metrics and log report the stop', async () => {
  for (const job_seed of ['poisoned', 'healthy'])
    expect((await post('/v1/jobs', { job_seed })).status).toBe(201);
  const episode = await post('/v1/jobs/healthy/episodes', { summary: 'All was well' });
  await until('everything is projected', async () => {
    const end = await log.lastPosition();
    const { parts } = await health();
    return READ_MODELS.every(({ name }) => parts[`projection_${name}`]?.position === String(end));
  });
  const position = await poison();

  await until('health reports it', async () => (await health()).status === 503);
  await until('all read models that it concerns have stopped', async () => {
    const { parts } = await health();
    return concerned.every(({ name }) => hasStopped(parts, name));
  });
  const { parts } = await health();
  for (const { name } of concerned) {
    const part = parts[`projection_${name}`];
    ensure(part);
    expect([name, part.status]).toStrictEqual([name, 'down']);
    const { position: at, stream, type } = part.stopped ?? {};
    expect({ at, stream, type }).toStrictEqual({
      at: position.toString(),
      stream: STREAM,
      type: TYPE,
    });
    expect(BigInt(part.position ?? 0)).toBeLessThan(position);
  }
  for (const { name } of others)
    expect([name, parts[`projection_${name}`]?.status]).toStrictEqual([name, 'up']);

  const metrics = (await service.call<string>('GET', '/metrics')).body;
  const stopped = (name: string) => `mace_projection_stopped{projection="${name}"} `;
  for (const { name } of concerned) {
    expect(metrics).toContain(`${stopped(name)}1`);
    const reached = parts[`projection_${name}`]?.position;
    expect(metrics).toContain(`mace_projection_position{projection="${name}"} ${reached}`);
  }
  for (const { name } of others) expect(metrics).toContain(`${stopped(name)}0`);

  const seen = JSON.stringify([service.log, parts, metrics]);
  // No output shows the value of the event.
  expect(seen).not.toContain(SECRET);
  expect(alarms()).toBe(concerned.length);

  // Other jobs continue, and so do the read models that do not project the event.
  for (const [path, body] of [
    ['wm', { type: 'fact', value: 1 }],
    ['ticks', {}],
    ['end', {}],
  ] as const)
    expect((await post(`/v1/jobs/healthy/${path}`, body)).status).toBeLessThan(300);
  const proposal = await post('/v1/action-requests', {
    episodic_id: episode.body['episodic_id'] as string,
    target_sem_key: 'world/fact/poison/known',
    value: true,
    justification: 'It goes on.',
  });
  expect(proposal.status).toBe(201);
  await until('the request is listed', async () => {
    const list = await service.call<JsonObject>('GET', '/v1/action-requests', { token: council });
    const requests = list.body['action_requests'] as JsonObject[];
    return requests.some(({ request_id }) => request_id === proposal.body['request_id']);
  });
});

test('a stream with a poison event accepts no command, and a job start answers PROJECTION_LAG', async () => {
  const before = (await eventsIn(log, STREAM)).length;
  const tick = await post('/v1/jobs/poisoned/ticks', {});
  expect(tick.status).toBeGreaterThanOrEqual(400);
  expect(await eventsIn(log, STREAM)).toHaveLength(before);
  const start = await post('/v1/jobs', {});
  expect(start.status).toBe(503);
  expect(start.body['error_code']).toBe('PROJECTION_LAG');
});

test('a restart does not skip a poison event', async () => {
  const before = (await health()).parts['projection_jobs']?.position;
  await service.stop();
  service = await TestService.start({ servers });
  await until(
    'the read models of the new process have stopped at it, too',
    () => alarms() === concerned.length,
  );
  const { parts } = await health();
  expect(concerned.every(({ name }) => hasStopped(parts, name))).toBe(true);
  expect(parts['projection_jobs']?.position).toBe(before);
});
