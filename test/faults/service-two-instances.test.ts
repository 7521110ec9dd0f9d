import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import { reflectiveStream } from '#domain/stream-names.js';
import type { Answered, ServiceClient } from '#test/support/service-client.js';
import { assertJobsAreWhole, withConcurrency } from './support/checks.js';
import { ensure } from '#test/support/ensure.js';
import { Deployment } from './support/deployment.js';
import { eventsIn, streamsOf } from './support/log.js';
import { assertRowsAreTheFold } from './support/read-models.js';
import { until } from './support/until.js';

const PAIRS = 100;

let deployment: Deployment;
let services: readonly [ServiceClient, ServiceClient];
let token: string;

beforeAll(async () => {
  deployment = await Deployment.start();
  const [one, other] = await Promise.all([deployment.service(), deployment.service()]);
  services = [one, other];
  token = await one.token('agent');
});

afterAll(() => deployment.stop());

const keyed = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'idempotency-key': key };

const post = (service: ServiceClient, path: string, body: JsonObject, key?: string) =>
  service.call<JsonObject>('POST', path, { token, body, headers: keyed(key) });

/** Sends the same request to both services at once. */
const toBoth = (path: string, body: JsonObject, key?: string) =>
  Promise.all(services.map((service) => post(service, path, body, key)));

async function startJob(seed: string): Promise<string> {
  const [one] = services;
  await until(`job ${seed} starts`, async () => {
    return (await post(one, '/v1/jobs', { job_seed: seed }, `start-${seed}`)).status === 201;
  });
  return `/v1/jobs/${seed}`;
}

const statuses = (answers: readonly Answered<unknown>[]): number[] =>
  answers.map(({ status }) => status).sort();

const rounds = Array.from({ length: PAIRS }, (_, round) => round);

async function typesIn(stream: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { type } of await eventsIn(deployment.log, stream))
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

test('a hundred pairs of identical ticks, sent to both services at once, make two hundred ticks', async () => {
  const job = await startJob('equal-ticks');
  const ticks: number[] = [];
  for (const _ of rounds) {
    const answers = await toBoth(`${job}/ticks`, {});
    expect(statuses(answers)).toStrictEqual([200, 200]);
    ticks.push(...answers.map(({ body }) => body['tick'] as number));
  }
  expect(ticks.toSorted((left, right) => left - right)).toStrictEqual(
    Array.from({ length: 2 * PAIRS }, (_, index) => index + 1),
  );
  expect((await typesIn('job-equal-ticks')).get('ticked')).toBe(2 * PAIRS);
});

test('of two commands with the same expected version exactly one succeeds', async () => {
  const job = await startJob('one-wins');
  for (let expected_version = 0; expected_version < PAIRS; expected_version += 1) {
    const body = { commands: [{ op: 'wm_insert', type: 'temp', value: expected_version }] };
    const answers = await toBoth(`${job}/commands`, { ...body, expected_version });
    expect(statuses(answers)).toStrictEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body['error_code']).toBe('VERSION_CONFLICT');
  }
  expect((await typesIn('job-one-wins')).get('wm_inserted')).toBe(PAIRS);
});

test('two busy services lose no write, and each answer names its own event', async () => {
  const job = await startJob('nobody-loses');
  const writes = rounds.flatMap((round) => services.map((service) => ({ round, service })));
  const entries: [string, string][] = [];
  await withConcurrency(writes, 32, async ({ round, service }) => {
    const value = `${round}:${services.indexOf(service)}`;
    const answer = await post(service, `${job}/wm`, { type: 'temp', value });
    expect(answer.status).toBe(201);
    entries.push([answer.body['wm_id'] as string, value]);
  });
  const events = await eventsIn(deployment.log, 'job-nobody-loses');
  const logged = events
    .filter(({ type }) => type === 'wm_inserted')
    .map(({ data }) => [data['wm_id'], data['value']]);
  expect(logged).toHaveLength(2 * PAIRS);
  expect(Object.fromEntries(entries)).toStrictEqual(Object.fromEntries(logged));
});

test('a command that is sent to both services at once with one key is executed once', async () => {
  const job = await startJob('one-key');
  for (const round of rounds) {
    const answers = await toBoth(`${job}/ticks`, {}, `tick-${round}`);
    expect(statuses(answers)).toStrictEqual([200, 200]);
    expect(answers[0]?.body).toStrictEqual(answers[1]?.body);
    expect(answers[0]?.body['tick']).toBe(round + 1);
  }
  expect((await typesIn('job-one-key')).get('ticked')).toBe(PAIRS);
});

test('a question that is sent to both services at once with one key is one query, and both services return its answer', async () => {
  for (const round of rounds.slice(0, 20)) {
    const question = { query_text: `What is ${round} + ${round}?` };
    const answers = await toBoth('/v1/queries', question, `question-${round}`);
    const [here, there] = answers.map(({ body }) => body);
    ensure(here);
    expect(here['answer']).toBe(`${round} + ${round} = ${2 * round}`);
    expect(there).toStrictEqual(here);
    const types = await typesIn(`job-${here['job_seed'] as string}`);
    expect([types.get('query_asked'), types.get('agent_answered')]).toStrictEqual([1, 1]);
  }
});

test('of two different bodies sent at once with one key, one is executed and the other gets IDEMPOTENCY_MISMATCH', async () => {
  const job = await startJob('two-bodies');
  for (const round of rounds.slice(0, 30)) {
    const answers = await Promise.all(
      services.map((service, value) =>
        post(service, `${job}/wm`, { type: 'temp', value }, `insert-${round}`),
      ),
    );
    expect(statuses(answers)).toStrictEqual([201, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body['error_code']).toBe('IDEMPOTENCY_MISMATCH');
  }
  expect((await typesIn('job-two-bodies')).get('wm_inserted')).toBe(30);
});

test('a late retry gets the first answer from either service, byte for byte', async () => {
  const [one, other] = services;
  const job = '/v1/jobs/retry';
  // The keys of these values are not in the order in which the log stores them.
  const value = { y: 1, x: [{ b: 1, a: 2 }] };
  const batch: JsonObject[] = [
    { op: 'tick' },
    { op: 'goal', goal: 'go on' },
    { op: 'tick', count: 2 },
  ];
  const proposal = {
    ...{ target_sem_key: 'world/fact/retried/value', value, justification: 'It was said.' },
    evidence: [value],
  };
  let episodic_id: unknown;
  const asked: [string, () => JsonObject][] = [
    ['/v1/jobs', () => ({ job_seed: 'retry' })],
    [`${job}/wm`, () => ({ type: 'fact', value })],
    [`${job}/wm/find`, () => ({ exists: ['/value'] })],
    [`${job}/ticks`, () => ({ count: 3 })],
    [`${job}/commands`, () => ({ commands: batch })],
    [`${job}/episodes`, () => ({ summary: 'once' })],
    ['/v1/action-requests', () => ({ ...proposal, episodic_id: episodic_id as string })],
  ];
  const send = (service: ServiceClient, [path, body]: [string, () => JsonObject]) =>
    post(service, path, body(), `retry-${path}`);
  const first: Answered<JsonObject>[] = [];
  for (const command of asked) {
    const answer = await send(one, command);
    expect([command[0], Math.floor(answer.status / 100)]).toStrictEqual([command[0], 2]);
    episodic_id ??= answer.body['episodic_id'];
    first.push(answer);
  }
  for (const service of services)
    for (const later of [1, 2, 3]) await post(service, `${job}/wm`, { type: 'temp', value: later });
  await post(one, `${job}/ticks`, { count: 5 });
  const before = (await eventsIn(deployment.log, 'job-retry')).length;
  for (const service of [other, one])
    for (const [index, command] of asked.entries()) {
      const again = await send(service, command);
      expect([command[0], again.status]).toStrictEqual([command[0], first[index]?.status]);
      // The texts are compared, because the order of the keys must be the same as well.
      expect([command[0], JSON.stringify(again.body)]).toStrictEqual([
        command[0],
        JSON.stringify(first[index]?.body),
      ]);
    }
  expect(await eventsIn(deployment.log, 'job-retry')).toHaveLength(before);
});

test('a fact that one service has acknowledged can be read from the other service at once', async () => {
  const admin = await services[0].token('admin');
  for (const round of rounds) {
    const path = `/v1/sem/world/fact/read_after_write/a${round % 10}`;
    const [writer, reader] = round % 2 === 0 ? services : services.toReversed();
    const body = { value: { round } };
    const put = await writer?.call('PUT', path, { token: admin, body });
    expect(put?.status).toBe(200);
    let got = await reader?.call<JsonObject>('GET', path, { token });
    // A read waits for two seconds, and then asks to be tried again. What it must not show is the value before.
    while (got?.body['error_code'] === 'PROJECTION_LAG')
      got = await reader?.call<JsonObject>('GET', path, { token });
    expect([`round ${round}`, got?.body]).toMatchObject([`round ${round}`, { value: { round } }]);
    expect(got?.headers.get('mace-stale')).toBeNull();
  }
});

test('of two starts with the same seed exactly one succeeds; two starts with the same Idempotency-Key both succeed and create one job', async () => {
  for (const round of rounds.slice(0, 20)) {
    const answers = await toBoth('/v1/jobs', { job_seed: `twins-${round}` });
    expect(statuses(answers)).toStrictEqual([201, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body['error_code']).toBe('JOB_EXISTS');
  }
  const goals = rounds.slice(0, 20).map((): string => randomUUID());
  for (const goal of goals) {
    const answers = await toBoth('/v1/jobs', { goal }, goal);
    expect(statuses(answers)).toStrictEqual([201, 201]);
    expect(answers[0]?.body).toStrictEqual(answers[1]?.body);
  }
  const streams = await streamsOf(deployment.log);
  const started = [...streams.values()].map(([first]) => first?.data['goal']);
  expect(started.filter((goal) => goals.includes(goal as string)).length).toStrictEqual(
    goals.length,
  );
});

test('two council members who approve at both services at once cause one sem_put', async () => {
  const [one, other] = services;
  const job = await startJob('approved');
  const episode = await post(one, `${job}/episodes`, { summary: 'The user likes cerulean' });
  await post(one, `${job}/end`, {});
  const listed: unknown[] = [];
  const members = await Promise.all(['c1', 'c2'].map((sub) => one.token('council', { sub })));
  const proposal = {
    episodic_id: episode.body['episodic_id'] as string,
    value: 'cerulean',
    justification: 'The user said so.',
  };
  for (const round of rounds.slice(0, 10)) {
    const target_sem_key = `world/fact/approved_${round}/colour`;
    let asked: Answered<JsonObject> | undefined;
    await until('the episode is known', async () => {
      asked = await post(other, '/v1/action-requests', { ...proposal, target_sem_key });
      return asked.status === 201;
    });
    const { request_id, proposal_hash } = asked?.body ?? {};
    const body = { vote: 'approve', reason: 'yes', proposal_hash };
    const path = `/v1/action-requests/${request_id as string}`;
    const votes = await Promise.all(
      services.map((service, index) =>
        service.call(`POST`, `${path}/votes`, { token: members[index] ?? '', body }),
      ),
    );
    expect(statuses(votes)).toStrictEqual([200, 409]);
    const puts = await eventsIn(deployment.log, `sem-${target_sem_key}`);
    expect(puts.map(({ type }) => type)).toStrictEqual(['fact_put']);
    expect((puts[0]?.data['meta'] as JsonObject)['provenance_id']).toBe(request_id);
    const types = await typesIn(`request-${request_id as string}`);
    expect(types.get('request_executed')).toBe(1);
    listed.push(...[0, 2, 3].map((number) => [`request-${request_id as string}`, number]));
    listed.push([`sem-${target_sem_key}`, 0], [`request-${request_id as string}`, 4]);
  }
  // Both services list the events in the log of the job, and each event is listed once (SPEC G3).
  const log = reflectiveStream(reflectiveLogId('approved'));
  await until('the log lists all requests', async () => {
    return (await typesIn(log)).get('council_event') === listed.length;
  });
  const additions = await eventsIn(deployment.log, log);
  const named = additions.slice(1).map(({ data }) => [data['stream'], data['event_number']]);
  expect(named.sort()).toStrictEqual(listed.sort());
});

test('after all these races every job replays identically, and the rows equal the fold of the log', async () => {
  const { log, rows, postgres } = deployment;
  await assertRowsAreTheFold(log, rows, postgres.url);
  await assertJobsAreWhole(services[1], rows, () => true);
});
