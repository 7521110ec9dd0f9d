import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES } from '#platform/auth/roles.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '../support/service.js';
import { type Answered } from '../support/service-client.js';
import { named } from '#test/support/named.js';

interface Route {
  readonly method: string;
  /** The path, in which the ids are filled in. */
  readonly path: string;
  readonly takesBody: boolean;
}

/** Well-formed ids of resources that do not exist. */
const IDS: Readonly<Record<string, string>> = {
  seed: 'no-such-job',
  wm_id: 'wm:no-such-job:1',
  item_id: 'cwmi:wm:no-such-job:1',
  scope: 'world',
  entity_type: 'fact',
  entity_id: 'nothing',
  attribute: 'definition',
  id: '00000000-0000-5000-8000-000000000000',
  name: 'nothing',
};

const PROPOSAL = {
  ...{ episodic_id: 'x', target_sem_key: 'world/fact/nothing/definition' },
  ...{ value: 1, justification: 'It was said.' },
};
const BALLOT = { vote: 'reject', reason: 'Because.', proposal_hash: '0'.repeat(64) };

function assertRefused(
  { status, body }: Answered<ErrorEnvelope>,
  code: ErrorCode,
  { method, path }: { method: string; path: string },
): void {
  const entry = ERROR_TABLE[code];
  const at = `${method} ${path}`;
  expect([`${at}: ${JSON.stringify(body).slice(0, 500)}`, body.error_code]).toStrictEqual([
    `${at}: ${JSON.stringify(body).slice(0, 500)}`,
    code,
  ]);
  expect([at, status]).toStrictEqual([at, entry.status]);
  expect([at, body.user_message]).toStrictEqual([at, entry.user_message]);
  expect(body.meta.query_id).toBeTruthy();
  expect(body.meta.trace_id).toBeTruthy();
  expect(body.meta.timestamp).toBeTruthy();
}

describe('Bad input', () => {
  let service: TestService;
  let log: LogReader;
  let routes: readonly Route[];
  /** Token of a caller with every role, so that only the input can be wrong. */
  let token: string;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    token = await service.token(ROLES, { sub: named('everybody') });
    routes = await everyRoute();
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  async function everyRoute(): Promise<readonly Route[]> {
    const { body } = await service.call<{
      paths: Record<string, Record<string, unknown>>;
    }>('GET', '/openapi.json');
    return Object.entries(body.paths).flatMap(([pattern, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: pattern.replace(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? `no-${name}`),
        takesBody: method === 'post' || method === 'put',
      })),
    );
  }

  /**
   * Sends one bad request to each route and checks the error code. None of the requests may write an
   * event.
   */
  async function refusedEverywhere(
    which: (route: Route) => boolean,
    code: ErrorCode,
    send: (route: Route) => Promise<Answered<ErrorEnvelope>>,
  ): Promise<void> {
    const before = await log.position();
    const chosen = routes.filter(which);
    expect(chosen.length).toBeGreaterThan(0);
    for (const route of chosen) assertRefused(await send(route), code, route);
    const written = await log.madeBy(named('everybody'), before);
    expect(written.filter(({ stream }) => !stream.startsWith('audit-'))).toStrictEqual([]);
  }

  const withBody = ({ takesBody }: Route): boolean => takesBody;
  /**
   * True if the route answers missing fields with INVALID_INPUT. On the route that takes a ReflectiveLog,
   * the check of the ReflectiveLog reports them instead (SPEC L1).
   */
  const withFields = (route: Route): boolean =>
    route.takesBody && route.path !== '/v1/reflective-logs';
  const sendBody =
    (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ({ method, path }: Route) =>
      service.call(method, path, { token, body, headers });

  it('this test knows every route of the service', () => {
    const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    for (const route of [
      'POST /v1/jobs',
      'POST /v1/jobs/no-such-job/commands',
      'PUT /v1/sem/world/fact/nothing/definition',
      'POST /v1/episodes/query',
      'POST /v1/action-requests',
    ])
      expect([route, known.has(route)]).toStrictEqual([route, true]);
    expect(routes.length).toBeGreaterThanOrEqual(25);
  });

  const malformed: readonly [string, string | Uint8Array][] = [
    ['JSON that breaks off', '{"value":'],
    ['bytes that are not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['10,000-deep nesting', `${'{"value":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a body over 1 MB', JSON.stringify({ value: 'x'.repeat(1024 * 1024) })],
    ['a repeated key', '{"value":1,"value":2}'],
    ['a NUL character', '{"value":"\\u0000"}'],
    ['a lone surrogate', '{"value":"\\ud800"}'],
    ['an integer beyond 2^53', '{"value":9007199254740993}'],
    ['a number beyond any double', '{"value":1e999}'],
  ];
  const misshapen: readonly [string, string][] = [
    ['a list instead of an object', '[]'],
    ['null inside a field that is not there', '{"no_such_field":null}'],
    ['__proto__ as a field', '{"__proto__":{"roles":["admin"]}}'],
    ['constructor as a field', '{"constructor":{"prototype":{}}}'],
  ];
  for (const [what, body] of malformed)
    it(`a body with ${what} is INVALID_INPUT on every route that takes a body`, () =>
      refusedEverywhere(withBody, 'INVALID_INPUT', sendBody(body)));
  for (const [what, body] of misshapen)
    it(`a body with ${what} is INVALID_INPUT on every route that takes a body`, () =>
      refusedEverywhere(withFields, 'INVALID_INPUT', sendBody(body)));

  it('an invalid ReflectiveLog is LOG_INVALID (SPEC L5)', async () => {
    const path = '/v1/reflective-logs';
    for (const [, body] of misshapen)
      assertRefused(await service.call('POST', path, { token, body }), 'LOG_INVALID', {
        method: 'POST',
        path,
      });
  });

  it('a content type other than JSON is INVALID_INPUT on every route that takes a body', () =>
    refusedEverywhere(
      withBody,
      'INVALID_INPUT',
      sendBody('value=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    ));

  it('an unknown query parameter is INVALID_INPUT on every route that takes query parameters', async () => {
    for (const path of ['/v1/jobs', '/v1/jobs/x/events', '/v1/sem', '/v1/action-requests'])
      assertRefused(
        await service.call('GET', `${path}?no_such_parameter=1`, { token }),
        'INVALID_INPUT',
        { method: 'GET', path },
      );
  });

  it('a field of a wrong type is INVALID_INPUT on every route that takes fields', async () => {
    const wrong: readonly [string, object][] = [
      ['/v1/jobs', { job_seed: 7 }],
      ['/v1/jobs', { job_seed: 'a b' }],
      ['/v1/jobs', { constants: { promotion_window: 'two' } }],
      ['/v1/jobs', { constants: { no_such_constant: 2 } }],
      ['/v1/jobs/x/episodes', { summary: 's', source: 'somebody' }],
      ['/v1/jobs/x/episodes', { summary: 's', evidence: ['text'] }],
      ['/v1/jobs/x/episodes', { payload: 1 }],
      ['/v1/jobs/x/ticks', { count: 0 }],
      ['/v1/jobs/x/ticks', { count: 1001 }],
      ['/v1/jobs/x/ticks', { count: 1.5 }],
      ['/v1/jobs/x/goals', { goal: ['a'] }],
      ['/v1/jobs/x/replays', { mode: 'x' }],
      ['/v1/jobs/x/commands', { commands: [{ op: 'undo' }] }],
      ['/v1/jobs/x/commands', { commands: [] }],
      ['/v1/jobs/x/commands', { commands: Array.from({ length: 501 }, () => ({ op: 'tick' })) }],
      ['/v1/jobs/x/wm/find', { equals: [] }],
      ['/v1/episodes/query', { query_terms: ['a'] }],
      ['/v1/episodes/query', { query_terms: 'a', max_results: 101 }],
      ['/v1/episodes/query', { query_terms: 'a', max_results: 0 }],
      ['/v1/episodes/query', { query_terms: 'a', max_results: '10' }],
      ['/v1/sem-keys', { scope: 'world' }],
      ['/v1/action-requests', { episodic_id: 'x' }],
      ['/v1/action-requests', { ...PROPOSAL, kind: 'made_up' }],
      ['/v1/action-requests', { ...PROPOSAL, evidence: ['text'] }],
      ['/v1/action-requests/x/votes', { ...BALLOT, reason: '' }],
      ['/v1/action-requests/x/votes', { ...BALLOT, vote: 'maybe' }],
      ['/v1/action-requests/x/votes', { ...BALLOT, reason_code: 'made up' }],
      ['/v1/integrity/verification', { decisions: 'yes' }],
      ['/v1/route', { query_text: '' }],
      ['/v1/queries', { query_text: 7 }],
      ['/v1/queries', { query_text: 'x'.repeat(16_001) }],
      ['/v1/queries', { query_text: 'What is 2 + 2?', confirm: 'no log' }],
      ['/v1/memory/recall', { assistant: 'helper', session_id: 's' }],
      ['/v1/memory/interactions', { assistant: 'helper', session_id: 's', user_text: ['a'] }],
    ];
    for (const [path, body] of wrong)
      assertRefused(await service.call('POST', path, { token, body }), 'INVALID_INPUT', {
        method: 'POST',
        path: `${path} ${JSON.stringify(body).slice(0, 80)}`,
      });
  });

  it('the id of a missing job, request or read model is NOT_FOUND', async () => {
    for (const [method, path, body] of [
      ['GET', '/v1/jobs/no-such-job', undefined],
      ['POST', '/v1/jobs/no-such-job/ticks', {}],
      ['POST', '/v1/jobs/no-such-job/wm', { type: 'fact', value: 1 }],
      ['POST', '/v1/jobs/no-such-job/end', {}],
      ['GET', '/v1/jobs/no-such-job/events', undefined],
      ['GET', '/v1/jobs/no-such-job/bundle', undefined],
      ['POST', '/v1/jobs/no-such-job/replays', { mode: 'audit' }],
      ['GET', `/v1/action-requests/${IDS['id']}`, undefined],
      ['POST', `/v1/action-requests/${IDS['id']}/votes`, BALLOT],
      ['GET', '/v1/episodes/ep:00000000-0000-5000-8000-000000000000', undefined],
      ['POST', '/v1/projections/nothing/rebuild', {}],
      ['GET', `/v1/reflective-logs/${'0'.repeat(64)}`, undefined],
      ['PATCH', `/v1/reflective-logs/${'0'.repeat(64)}`, {}],
      ['GET', '/v1/nothing', undefined],
    ] as const)
      assertRefused(await service.call(method, path, { token, body }), 'NOT_FOUND', {
        method,
        path,
      });
  });
});
