import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import type { QueryAnswer } from '#test/support/queries.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { KillableService } from './support/killable-service.js';
import { until } from './support/until.js';

/**
 * Keeps the test short: a worker takes over an unfinished query after a little more than twice this
 * timeout.
 */
const shortTimeout = { constants: { agent_timeout_ms: 2_000 } };
let model: LanguageModelServer;
let eventStore: TestServer;
let postgres: TestServer;
let service: KillableService;
let token: string;

beforeAll(async () => {
  model = await LanguageModelServer.start();
  [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
  service = await KillableService.start({
    MACE_EVENTSTORE_URL: eventStore.url,
    MACE_POSTGRES_URL: postgres.url,
    MACE_LLM_PROVIDERS: JSON.stringify([
      {
        name: 'one',
        base_url: model.baseUrl,
        model: 'm',
        api_key: 'sk-test-1',
        timeout_ms: 60_000,
      },
    ]),
  });
  token = await service.token('agent');
});
afterAll(async () => {
  await service.stop();
  await Promise.all([eventStore.stop(), postgres.stop(), model.stop()]);
});

const ask = (job_seed: string) =>
  service.call<QueryAnswer>('POST', '/v1/queries', {
    token,
    body: { query_text: 'Write a poem about the sea', job_seed, ...shortTimeout },
    headers: { 'idempotency-key': `key-${job_seed}` },
  });

async function eventsOf(seed: string): Promise<readonly string[]> {
  const { body } = await service.call<{ events: { type: string }[] }>(
    'GET',
    `/v1/jobs/${seed}/events?limit=500`,
    { token },
  );
  return body.events.map(({ type }) => type);
}

/** Sends a query, kills the service while it waits for the model, and restarts it. */
async function askAndKill(seed: string): Promise<void> {
  const before = model.requests.length;
  model.next('hang');
  const interruptedAsk = ask(seed).catch(() => undefined);
  await until('the model is asked', () => model.requests.length > before);
  await service.kill();
  await interruptedAsk;
  await service.restart();
}

test('a query whose service is killed during an agent’s call is finished and leaves exactly one log', async () => {
  await askAndKill('killed-1');
  const log = `/v1/reflective-logs/${reflectiveLogId('killed-1')}`;
  await until(
    'its log exists',
    async () => (await service.call('GET', log, { token })).status === 200,
  );
  expect((await eventsOf('killed-1')).slice(-5)).toStrictEqual([
    'council_voted',
    'answer_judged',
    'query_concluded',
    'job_ended',
    'episodic_summary',
  ]);
  const { body } = await service.call<JsonObject>('GET', log, { token });
  expect(body['final_answer']).toBe('A fine answer.');
  expect(body['signature_valid']).toBe(true);
});

test('a retry after the kill gets the answer of the interrupted query', async () => {
  await askAndKill('killed-2');
  const before = model.requests.length;
  const again = await ask('killed-2');
  expect(again.body.answer).toBe('A fine answer.');
  expect(model.requests).toHaveLength(before + 1);
  expect((await ask('killed-2')).body).toStrictEqual(again.body);
  expect(model.requests).toHaveLength(before + 1);
  const report = await service.call<JsonObject>('POST', '/v1/jobs/killed-2/replays', {
    token,
    body: { mode: 'strict' },
  });
  expect(report.body['identical']).toBe(true);
});
