import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sha256Hex } from '#domain/determinism/hash.js';
import { episodicId, reflectiveLogId } from '#domain/determinism/ids.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { jobDecider } from '#domain/job/decider.js';
import { auditStream } from '#domain/stream-names.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { retryDelayMs } from '#event-store/transaction.js';
import { Caller } from '#test/support/caller.js';
import { assertReported, failureOf } from '#test/support/failure.js';
import { HASH, INSTANT } from '#test/support/matchers.js';
import { named } from '#test/support/named.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { type TokenOptions } from '#test/support/service-client.js';
import { ensure } from '#test/support/ensure.js';
import type { Role } from '#platform/auth/roles.js';
import { eventsIn } from '../faults/support/log.js';
import { until } from '../faults/support/until.js';

let eventStore: OwnEventStore;
let service: TestService;
let log: EventStore;
let admin: Caller;
let agent: Caller;

beforeAll(async () => {
  eventStore = await startOwnEventStore();
  const postgres = await startTestPostgres();
  service = await TestService.start({ servers: { eventStore, postgres } });
  log = connectEventStore(eventStore.url);
  admin = await Caller.of(service, 'admin');
  agent = await Caller.of(service, 'agent');
});
afterAll(async () => {
  await log?.close();
  await service?.stop();
  await Promise.all([eventStore?.stop(), service?.postgres.stop()]);
});

const isReady = async () => (await service.call('GET', '/health/ready')).status === 200;
const failuresInARow = async () => {
  const { body } = await service.call<string>('GET', '/metrics');
  return Number(/^mace_sem_write_failures_in_a_row (\d+)$/m.exec(body)?.[1]);
};

test('002-T10 [stage0] [golden] [high] a put that the event store refuses fails with SEM_WRITE_FAIL, which becomes critical if the refusals persist, and is never acknowledged', async () => {
  const path = 'sem/world/fact/unwritten/value';
  await eventStore.kill();
  for (const severity of ['warning', 'warning', 'critical'] as const)
    assertReported(service, await admin.ask('PUT', path, { body: { value: 'cerulean' } }), {
      ...failureOf('SEM_WRITE_FAIL', { stream: 'sem-world/fact/unwritten/value' }),
      severity,
    });
  expect(await failuresInARow()).toBe(3);
  await eventStore.restart();
  await until('the service is ready again', isReady);
  await admin.refused('SEM_NOT_FOUND', 'GET', path);
  await admin.did('PUT', path, { body: { value: 'cerulean' } });
  expect(await failuresInARow()).toBe(0);
  expect(JSON.stringify(service.log)).not.toContain('cerulean');
});

test('000-M-T8 [stage1] [golden] [critical] an episode whose append the event store refuses fails with MEMORY_WRITE_FAIL, and a retry with the same Idempotency-Key writes the episode once', async () => {
  await agent.post('jobs', { job_seed: 'm-t8' });
  await agent.post('jobs/m-t8/ticks');
  const write = { body: { summary: 'A night without a log.' }, key: 'm-t8-episode' };
  await eventStore.kill();
  const refused = await agent.ask('POST', 'jobs/m-t8/episodes', write);
  const failure = failureOf('MEMORY_WRITE_FAIL', { stream: 'job-m-t8' });
  expect(assertReported(service, refused, failure)).toMatchObject({
    stream: 'job-m-t8',
    sem_snapshot_hash: HASH,
    body_hash: HASH,
    stack: expect.stringMatching(/\n +at /),
  });
  expect(JSON.stringify(service.log)).not.toContain('A night without');
  await eventStore.restart();
  await until('the service is ready again', isReady);
  await until('the retry is taken', async () => {
    return (await agent.ask('POST', 'jobs/m-t8/episodes', write)).status === 201;
  });
  const { body } = await agent.did('POST', 'jobs/m-t8/episodes', write);
  const episodic_id = episodicId('m-t8', 1);
  expect(body).toStrictEqual({ episodic_id, version: 2 });
  const written = await eventsIn(log, 'job-m-t8');
  expect(written.map(({ type }) => type)).toStrictEqual([
    'job_started',
    'ticked',
    'episode_written',
  ]);
  expect(written[2]?.data).toStrictEqual({
    episodic_id,
    job_seed: 'm-t8',
    owner: { sub: named('agent'), user_id: null },
    source: 'agent',
    summary: 'A night without a log.',
    evidence: [],
    payload: null,
    created_seeded_ts: INSTANT,
    reflective_log_id: reflectiveLogId('m-t8'),
  });
});

describe('An append that fails', () => {
  /** Returns a log whose first `failures` appends fail, and the command id of each append that is tried. */
  function failing(failures: number): { readonly store: EventStore; readonly tries: string[] } {
    const tries: string[] = [];
    const store: EventStore = {
      epoch: 0,
      clock: log.clock,
      append: async (stream, expected, events) => {
        tries.push(String(events[0]?.metadata.command_id));
        if (tries.length <= failures) throw new EventStoreUnavailable('the disk said no');
        return log.append(stream, expected, events);
      },
      readStream: (...args) => log.readStream(...args),
      lastOf: (stream) => log.lastOf(stream),
      lastPosition: () => log.lastPosition(),
      subscribe: (options) => log.subscribe(options),
      eventAt: (position) => log.eventAt(position),
      ping: () => log.ping(),
      close: async () => undefined,
    };
    return { store, tries };
  }
  const writeEpisode = (store: EventStore, command_id: string) =>
    new AggregateStore(store, jobDecider, { writeFailure: 'MEMORY_WRITE_FAIL' }).execute(
      'job-m-t8',
      [{ op: 'episodic_write', source: 'agent', summary: 'x', payload: null, evidence: [] }],
      { command_id, body_hash: 'none', actor: 'agent-1', trace_id: 'none' },
    );
  const episodesOf = async (command_id: string) =>
    (await eventsIn(log, 'job-m-t8')).filter((event) => event.metadata.command_id === command_id);

  test('000-M-T8 [stage1] [golden] [critical] a failed append is retried once, after a delay that depends on the name of the stream, and not a third time', async () => {
    const { store, tries } = failing(Infinity);
    const command_id = randomUUID();
    await expect(writeEpisode(store, command_id)).rejects.toMatchObject({
      code: 'MEMORY_WRITE_FAIL',
      facts: { stream: 'job-m-t8' },
    });
    const firstBytes = Number.parseInt(sha256Hex('job-m-t8').slice(0, 4), 16);
    expect(retryDelayMs('job-m-t8')).toBe(50 + (firstBytes % 200));
    expect(tries).toStrictEqual([command_id, command_id]);
    expect(await episodesOf(command_id)).toStrictEqual([]);
  });

  test('000-M-T8 [stage1] [golden] [critical] if the one retry succeeds, the caller gets the answer and the episode is written once', async () => {
    const { store, tries } = failing(1);
    const command_id = randomUUID();
    const { results, repeated } = await writeEpisode(store, command_id);
    expect(results).toHaveLength(1);
    expect(repeated).toBe(false);
    expect(tries).toStrictEqual([command_id, command_id]);
    expect((await episodesOf(command_id)).map(({ type }) => type)).toStrictEqual([
      'episode_written',
    ]);
  });
});

describe('Deletes and protected writes', () => {
  const standing = ['world/fact/standing/value', 'mace/config/router/default_depth'];
  const other = 'user/profile/user_other/city';
  const sizes = async () =>
    Promise.all(
      [...standing, other].map(async (key) => (await eventsIn(log, `sem-${key}`)).length),
    );

  beforeAll(async () => {
    for (const key of standing) await admin.did('PUT', `sem/${key}`, { body: { value: 1 } });
  });

  const who: readonly (readonly [Role, TokenOptions])[] = [
    ['user', { sub: 'somebody', user_id: 'somebody' }],
    ['agent', { sub: 'some-agent' }],
    ['council', { sub: 'some-member' }],
    ['auditor', { sub: 'some-auditor' }],
  ];
  for (const [role, options] of who)
    test(`002-T32 [stage0] [golden] [medium] a delete or protected write by a token with the role ${role} is PERMISSION_DENIED, changes nothing, and is logged and audited with the action`, async () => {
      const caller = await Caller.of(service, role, options);
      const [deletable = '', config = ''] = standing;
      const asked: readonly (readonly [string, string, object | undefined])[] = [
        ['DELETE', deletable, undefined],
        ['PUT', config, { value: 2 }],
        ['DELETE', config, undefined],
        ['PUT', other, { value: 'Oslo' }],
      ];
      const before = await sizes();
      for (const [method, key, body] of asked) {
        const answer = await caller.ask<ErrorEnvelope>(method, `sem/${key}`, body && { body });
        const { query_id } = answer.body.meta;
        const line = service.log.find((one) => one['query_id'] === query_id);
        ensure(line);
        const { action, rule } = line;
        // The action is the verb and the key, or for a role that no such route admits, the route.
        expect(String(action)).toMatch(
          new RegExp(`^((write|delete) ${key}|write facts|${method} /v1/sem/.+)$`),
        );
        expect(['who writes a fact', 'who deletes a fact', 'role']).toContain(rule);
        expect(line).toMatchObject({ key, caller: sha256Hex(String(options.sub)).slice(0, 16) });
        const facts = { action: String(action), rule: String(rule) };
        assertReported(service, answer, failureOf('PERMISSION_DENIED', facts));
      }
      expect(await sizes()).toStrictEqual(before);
      for (const key of standing) expect((await admin.get(`sem/${key}`))['value']).toBe(1);
      const audit = await eventsIn(log, auditStream(String(options.sub)));
      expect(audit.map(({ data }) => data['code'])).toStrictEqual(
        asked.map(() => 'PERMISSION_DENIED'),
      );
    });
});
