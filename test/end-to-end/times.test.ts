import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { JsonObject } from '#domain/json.js';
import { isPosition } from '#domain/position.js';
import { TIME_PROBLEMS } from '#domain/sem/timestamp.js';
import { ROLES } from '#platform/auth/roles.js';
import { Caller } from '#test/support/caller.js';
import type { OpenApi } from '#test/support/described-answers.js';
import { named } from '#test/support/named.js';
import { aLog } from '#test/support/reflective-logs.js';
import { fieldsOfKind, requestFields } from '#test/support/request-fields.js';
import type { Answered } from '#test/support/service-client.js';
import { TestService } from '#test/support/service.js';
import { BAD_TIMES, GOOD_TIMES } from '#test/support/times.js';

const FACT = '/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}';

describe('Times in requests', () => {
  let service: TestService;
  let caller: Caller;
  let waiting: string;
  beforeAll(async () => {
    service = await TestService.shared();
    caller = await Caller.of(service, ROLES, { sub: named('times'), user_id: named('times') });
    waiting = await waitingRequest(service);
  });
  afterAll(() => service?.stop());

  let made = 0;
  const next = (): string => named(`time_${(made += 1)}`);
  const inQuery = (path: string, parameter: string) => (time: string) =>
    caller.ask('GET', `${path}?${parameter}=${encodeURIComponent(time)}`);
  const windowed =
    (path: string, words: string, bound: string, window = 'time_window') =>
    (time: string) =>
      caller.ask('POST', path, { body: { [words]: 'tea', [window]: { [bound]: time } } });
  const FIELDS: Readonly<
    Record<string, (time: string) => Promise<Answered<ErrorEnvelope | JsonObject>>>
  > = {
    [`DELETE ${FACT} ?timestamp`]: async (time) => {
      const path = `sem/world/fact/${next()}/definition`;
      await caller.did('PUT', path, { body: { value: 1, timestamp: '2020-01-01T00:00:00Z' } });
      return caller.ask('DELETE', `${path}?timestamp=${encodeURIComponent(time)}`);
    },
    'GET /v1/action-requests/figures ?from': inQuery('action-requests/figures', 'from'),
    'GET /v1/action-requests/figures ?to': inQuery('action-requests/figures', 'to'),
    // A request is put off until a later time.
    'POST /v1/action-requests/{id}/snoozes until': (time) =>
      caller.ask('POST', `action-requests/${waiting}/snoozes`, {
        body: { until: time.replace('2025', '2097').replace('2024', '2096') },
      }),
    'POST /v1/episodes/query time_window.from': windowed('episodes/query', 'query_terms', 'from'),
    'POST /v1/episodes/query time_window.to': windowed('episodes/query', 'query_terms', 'to'),
    'POST /v1/jobs seeded_epoch': (time) =>
      caller.ask('POST', 'jobs', { body: { job_seed: next(), seeded_epoch: time } }),
    'POST /v1/reflective-logs created_at': (time) =>
      caller.ask('POST', 'reflective-logs', { body: { ...aLog(), created_at: time } }),
    'POST /v1/search recorded_window.from': windowed('search', 'query', 'from', 'recorded_window'),
    'POST /v1/search recorded_window.to': windowed('search', 'query', 'to', 'recorded_window'),
    'POST /v1/search time_window.from': windowed('search', 'query', 'from'),
    'POST /v1/search time_window.to': windowed('search', 'query', 'to'),
    [`PUT ${FACT} timestamp`]: (time) =>
      caller.ask('PUT', `sem/world/fact/${next()}/definition`, {
        body: { value: 1, timestamp: time },
      }),
  };

  /** The times at which memory is read as it was, by the paths of the reads. */
  const MOMENTS: Readonly<Record<string, string>> = {
    'GET /v1/action-requests': 'action-requests',
    'GET /v1/action-requests/{id}': 'action-requests/a',
    'GET /v1/consents': 'consents',
    'GET /v1/conversations/{id}/items': 'conversations/a/items',
    'GET /v1/jobs': 'jobs',
    'GET /v1/jobs/{seed}': 'jobs/a',
    'GET /v1/jobs/{seed}/knew': 'jobs/a/knew',
    'GET /v1/memories': 'memories',
    'GET /v1/memories/{memory_id}': 'memories/mem:00000000-0000-5000-8000-000000000000',
    'GET /v1/memory': 'memory',
    'GET /v1/memory/sessions': 'memory/sessions?user_id=a',
    'GET /v1/memory/{space}/{owner}': 'memory/session/a',
    'GET /v1/memory/{space}/{owner}/phases': 'memory/session/a/phases',
    'GET /v1/memory/{space}/{owner}/phases/diff': 'memory/session/a/phases/diff?from=a&to=b',
    'GET /v1/memory/{space}/{owner}/traces': 'memory/session/a/traces',
    'GET /v1/memory/{space}/{owner}/turns': 'memory/session/a/turns',
    'GET /v1/notes': 'notes?namespace=a&key=b',
    'GET /v1/oversight/accesses': 'oversight/accesses',
    'GET /v1/oversight/consents': 'oversight/consents',
    'GET /v1/positions': 'positions',
    'GET /v1/positions/bundle': 'positions/bundle',
    'GET /v1/sem': 'sem',
    'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}': 'sem/world/fact/a/b',
    'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history':
      'sem/world/fact/a/b/history',
    'GET /v1/why': 'why?kind=episode&id=a',
    'GET /v1/why/accesses': 'why/accesses?kind=episode&id=a',
    'GET /v1/why/reads': 'why/reads?kind=episode&id=a',
    'GET /v1/threads/checkpoints': 'threads/checkpoints?thread_id=a',
  };
  const BODIES: readonly string[] = ['recall', 'search'];
  const atMoment = (path: string, time: string) =>
    BODIES.includes(path)
      ? caller.ask('POST', path, { body: { query: 'tea', at: time } })
      : caller.ask('GET', `${path}${path.includes('?') ? '&' : '?'}at=${encodeURIComponent(time)}`);

  it('this test knows every time that a request can have', async () => {
    const { body } = await service.call<OpenApi>('GET', '/openapi.json');
    const moments = [
      ...Object.keys(MOMENTS).map((operation) => `${operation} ?at`),
      ...BODIES.map((path) => `POST /v1/${path} at`),
    ];
    expect(Object.keys(FIELDS).sort()).toStrictEqual(fieldsOfKind(body, 'date-time'));
    const asked = requestFields(body).map(({ operation, place }) => `${operation} ${place}`);
    expect(moments.sort()).toStrictEqual(
      [...new Set(asked)].filter((field) => / \??at$/.test(field)).sort(),
    );
  });

  for (const path of [...Object.values(MOMENTS), ...BODIES])
    it(`at of ${path} takes every RFC 3339 time, and refuses every other text with the same words`, async () => {
      const problems = Object.values(TIME_PROBLEMS);
      const found = async (times: readonly string[]) =>
        Promise.all(
          times.map(async (time) => {
            const { body } = await atMoment(path, time);
            const message = (body as Partial<ErrorEnvelope>).developer_message ?? '';
            return [time, problems.some((problem) => message.includes(problem))];
          }),
        );
      const good = GOOD_TIMES.map(([time]) => time);
      expect(await found(good)).toStrictEqual(good.map((time) => [time, false]));
      const bad = BAD_TIMES.filter((time) => !isPosition(time));
      expect(await found(bad)).toStrictEqual(bad.map((time) => [time, true]));
    });

  for (const [field, send] of Object.entries(FIELDS)) {
    it(`${field} takes every RFC 3339 time, with any offset`, async () => {
      for (const [time] of GOOD_TIMES) {
        const { status, body } = await send(time);
        expect([time, status, status < 300 ? '' : body]).toStrictEqual([time, status, '']);
      }
    });

    it(`${field} refuses every other text, with the same words`, async () => {
      for (const time of BAD_TIMES) {
        const { body } = await send(time);
        const { error_code, developer_message } = body as unknown as ErrorEnvelope;
        const problem = time.includes(':60Z') && !time.includes('12:60') ? 'leap_second' : 'form';
        expect([time, error_code]).toStrictEqual([
          time,
          field.includes('reflective-logs') ? 'LOG_INVALID' : 'INVALID_INPUT',
        ]);
        expect([time, developer_message]).toStrictEqual([
          time,
          expect.stringContaining(TIME_PROBLEMS[problem]),
        ]);
      }
    });
  }

  it('a fact and a job keep a time with an offset as the same moment in UTC', async () => {
    for (const [time, stored] of GOOD_TIMES) {
      const path = `sem/world/fact/${next()}/definition`;
      await caller.did('PUT', path, { body: { value: 1, timestamp: time } });
      expect((await caller.get(path))['last_updated']).toBe(stored);
    }
    const job_seed = next();
    await caller.did('POST', 'jobs', {
      body: { job_seed, seeded_epoch: '2030-01-01T02:00:00+02:00' },
    });
    const { events } = await caller.get<{ events: { data: JsonObject }[] }>(
      `jobs/${job_seed}/events`,
    );
    expect(events[0]?.data['seeded_epoch']).toBe('2030-01-01T00:00:00.000Z');
  });
});

/** Returns the id of a request of another agent that waits for the council. */
async function waitingRequest(service: TestService): Promise<string> {
  const agent = await Caller.of(service, 'agent', { sub: named('times-agent') });
  const job_seed = named('times-job');
  await agent.post('jobs', { job_seed });
  const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job_seed}/episodes`, {
    summary: 'Seen.',
  });
  const { request_id } = await agent.post<{ request_id: string }>('action-requests', {
    ...{ episodic_id, target_sem_key: `world/fact/${named('times')}/definition`, value: 1 },
    justification: 'It was seen.',
  });
  return request_id;
}
