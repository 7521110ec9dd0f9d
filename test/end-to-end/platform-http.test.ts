import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { SignJWT } from 'jose';
import { TokenVerifier } from '#apps/api/platform/auth/token-verifier.js';
import { keyedHashJson } from '#domain/determinism/hash.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { auditStream } from '#domain/stream-names.js';
import { LogReader } from '#test/support/read-log.js';
import { SampleCapability, type NoteTaken } from '../support/sample-capability.js';
import { TestService } from '../support/service.js';
import { type Answered } from '../support/service-client.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { named } from '#test/support/named.js';

const NOTES = '/v1/sample/notes';

function assertRefused({ status, headers, body }: Answered<ErrorEnvelope>, code: ErrorCode): void {
  const { user_message, severity, ...entry } = ERROR_TABLE[code];
  expect(body.error_code).toBe(code);
  expect(status).toBe(entry.status);
  expect([body.status, body.severity, body.user_message]).toStrictEqual([
    entry.status,
    severity,
    user_message,
  ]);
  expect(body.meta.query_id).toBe(headers.get('mace-query-id'));
  expect(body.meta.trace_id).toBe(headers.get('mace-trace-id'));
  expect(body.meta.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}

describe('The HTTP platform', () => {
  let service: TestService;
  let log: LogReader;
  let agent: string;

  beforeAll(async () => {
    service = await TestService.start({ more: [SampleCapability] });
    log = new LogReader(service.eventStore.url);
    agent = await service.token('agent');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const take = <Body = ErrorEnvelope>(body: unknown, headers = {}, token = agent) =>
    service.call<Body>('POST', NOTES, { token, body, headers });

  const audited = (sub: string) => log.events(auditStream(sub));

  describe('requires a token', () => {
    const call = (authorization?: string) =>
      service.call('POST', NOTES, {
        body: {},
        ...(authorization === undefined ? {} : { headers: { authorization } }),
      });
    const sign = (secret: string, alg = 'HS256') =>
      new SignJWT({ roles: ['agent'] })
        .setProtectedHeader({ alg })
        .setSubject('a')
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret));

    it('a token that is missing, expired, tampered with or signed with another secret is refused', async () => {
      const [header, , signature] = agent.split('.');
      const forged = Buffer.from('{"sub":"a","roles":["admin"],"exp":9999999999}').toString(
        'base64url',
      );
      const expired = await service.token('agent', { ttl: -60 });
      const refused = await Promise.all([
        call(),
        call(`Bearer ${expired}`),
        call(`Bearer ${header}.${forged}.${signature}`),
        call(`Bearer ${await sign('another-secret-of-thirty-two-bytes!')}`),
        call('Basic YTpi'),
        call('Bearer not-a-token'),
      ]);
      for (const answer of refused) {
        assertRefused(answer, 'UNAUTHENTICATED');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    });

    it('the refusal of a token that another secret signed says so, and asks for the data directory', async () => {
      const { body } = await call(`Bearer ${await sign('another-secret-of-thirty-two-bytes!')}`);
      expect(body.developer_message).toContain('made with another secret (another MACE_DATA_DIR?)');
    });

    it('a token with another algorithm, with alg none, or without an expiry is refused', async () => {
      const unsigned = [
        Buffer.from('{"alg":"none"}').toString('base64url'),
        Buffer.from('{"sub":"a","roles":["admin"],"exp":9999999999}').toString('base64url'),
        '',
      ].join('.');
      const eternal = await new SignJWT({ roles: ['agent'] })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('a')
        .sign(new TextEncoder().encode(TEST_KEYS.MACE_JWT_SECRET));
      assertRefused(await call(`Bearer ${unsigned}`), 'UNAUTHENTICATED');
      assertRefused(
        await call(`Bearer ${await sign(TEST_KEYS.MACE_JWT_SECRET.repeat(2), 'HS512')}`),
        'UNAUTHENTICATED',
      );
      assertRefused(await call(`Bearer ${eternal}`), 'UNAUTHENTICATED');
    });

    it('the token is checked before the body is read', async () => {
      assertRefused(await service.call('POST', NOTES, { body: '{"broken' }), 'UNAUTHENTICATED');
    });

    it('an expired token is refused, even if it was accepted before', async () => {
      const verifier = new TokenVerifier({ jwtSecret: TEST_KEYS.MACE_JWT_SECRET });
      const brief = await service.token('agent', { ttl: 60 });
      const actor = await verifier.verified(brief);
      expect(verifier.cached(brief)).toStrictEqual(actor);
      jest.useFakeTimers({ now: Date.now() + 66_000 });
      try {
        expect(verifier.cached(brief)).toBeUndefined();
        await expect(verifier.verified(brief)).rejects.toThrow(/UNAUTHENTICATED/);
      } finally {
        jest.useRealTimers();
      }
    });

    it('a caller that has none of the roles that the route allows is refused, and the refusal is recorded', async () => {
      const token = await service.token('council', { sub: named('curious') });
      assertRefused(await take({ title: 'a' }, {}, token), 'PERMISSION_DENIED');
      const [event, ...others] = await audited(named('curious'));
      expect(others).toHaveLength(0);
      expect(event?.type).toBe('command_refused');
      expect(event?.data).toStrictEqual({
        code: 'PERMISSION_DENIED',
        route: `POST ${NOTES}`,
        stream: null,
        uncounted_before: 0,
      });
    });
  });

  it('a controller gets the body, the caller and the command’s identity', async () => {
    const { status, headers, body } = await take<NoteTaken>({ title: 'a_note', value: [1, 'two'] });
    expect(status).toBe(200);
    expect(body.value).toStrictEqual([1, 'two']);
    expect(body.actor).toStrictEqual({ sub: named('agent'), roles: ['agent'] });
    expect(body.command_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(headers.get('mace-position') ?? '').toMatch(/^\d+$/);
  });

  it('a value in a body keeps hostile keys such as __proto__ unchanged', async () => {
    const value = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":null}';
    const { body } = await take<NoteTaken>(`{"title":"hostile","value":${value}}`);
    expect(JSON.stringify(body.value)).toBe(value);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('a list may have items of different shapes, and null is a value', async () => {
    const commands = [{ op: 'note', value: null }, { op: 'pause' }, { op: 'pause', count: 2 }];
    const { body } = await take<NoteTaken>({ title: 'a_list', commands });
    expect(body.commands).toStrictEqual(['NoteCommand', 'PauseCommand', 'PauseCommand']);
  });

  it('a body of a DELETE and a query of a route without one are refused, because they would have no effect', async () => {
    const seed = named('no-effect');
    await service.call('POST', '/v1/jobs', { token: agent, body: { job_seed: seed } });
    const entry = `/v1/jobs/${seed}/wm/wm:${seed}:1`;
    const withBody = await service.call<ErrorEnvelope>('DELETE', entry, {
      token: agent,
      body: { expected_version: 0 },
    });
    expect([withBody.status, withBody.body.developer_message]).toStrictEqual([
      400,
      expect.stringContaining('expected_version belongs in the query string of a DELETE'),
    ]);
    const withQuery = await service.call<ErrorEnvelope>('GET', '/v1/consents?zz=1', {
      token: agent,
    });
    expect([withQuery.status, withQuery.body.developer_message]).toStrictEqual([
      400,
      expect.stringContaining('zz is not a known field'),
    ]);
  });

  it('a number of 16 digits is read as the number that it is', async () => {
    const path = `/v1/memory/session/${named('long-tick')}`;
    const { body } = await service.call<ErrorEnvelope>('GET', `${path}?tick=9007199254740991`, {
      token: agent,
    });
    expect(body.error_code).not.toBe('INVALID_INPUT');
  });

  it('HEAD on the path of MCP answers 405, as GET does', async () => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${agent}` },
    });
    expect(answer.status).toBe(405);
  });

  it('the error for a bad body names the field, and never shows its value', async () => {
    const cases: readonly [unknown, RegExp][] = [
      [{}, /title must be a string/],
      [{ title: 7 }, /title must be a string/],
      [{ title: 'SECRET' }, /title must match/],
      [{ title: 'x'.repeat(21) }, /title must be shorter/],
      [{ title: 'a', secret: 1 }, /secret is not a known field/],
      [{ title: 'a', commands: {} }, /commands must be an array/],
      [{ title: 'a', commands: [] }, /commands must not be empty/],
      [{ title: 'a', commands: [{}, {}, {}, {}] }, /commands must not hold more than 3/],
      [{ title: 'a', commands: [{ op: 'note', value: 1 }, 7] }, /commands\.1\.op must be one of/],
      [{ title: 'a', commands: [{ op: '__proto__' }] }, /commands\.0\.op must be one of/],
      [{ title: 'a', commands: [{ op: 'note' }] }, /commands\.0\.value must be given/],
      [
        { title: 'a', commands: [{ op: 'pause', count: '1' }] },
        /commands\.0\.count must be an int/,
      ],
      [{ title: 'a', commands: [{ op: 'pause', count: 11 }] }, /count must not be greater than 10/],
      [[], /the input must be an object/],
      ['"text"', /the input must be an object/],
      ['null', /title must be a string/],
    ];
    for (const [body, reason] of cases) {
      const answer = await take(body);
      assertRefused(answer, 'INVALID_INPUT');
      expect(answer.body.developer_message).toMatch(reason);
      expect(answer.body.developer_message).not.toMatch(/SECRET/);
    }
  });

  it('a number in a query string is parsed, and a text in the place of a number is refused', async () => {
    const read = (query: string) => service.call('GET', `${NOTES}/n-1${query}`, { token: agent });
    expect((await read('?limit=5')).body).toStrictEqual({ id: 'n-1', limit: 5 });
    for (const query of [
      '?limit=5a',
      '?limit=1.5',
      '?limit=1&limit=2',
      '?limit=',
      '?more=1',
      '?limit=0',
    ])
      assertRefused(await read(query), 'INVALID_INPUT');
  });

  it('a HEAD reads the query string as its GET does', async () => {
    const asked = (method: 'GET' | 'HEAD', path: string) =>
      fetch(`${service.url}/v1/${path}`, { method, headers: { authorization: `Bearer ${agent}` } });
    await service.call('PUT', '/v1/notes', {
      token: agent,
      body: { namespace: ['head'], key: 'kept', value: 1 },
    });
    for (const [path, status] of [
      ['notes?namespace=head&key=kept', 200],
      ['notes?namespace=head&key=other', 404],
      ['notes?namespace=head&key=kept&version=x', 400],
      ['jobs?limit=x', 400],
    ] as const)
      expect([
        path,
        (await asked('GET', path)).status,
        (await asked('HEAD', path)).status,
      ]).toStrictEqual([path, status, status]);
  });

  it('an unreadable path is refused in the same way as a bad body', async () => {
    for (const id of ['%FF', '%00', 'a%2Fb', 'ä', 'x'.repeat(129), 'x'.repeat(3000)])
      assertRefused(await service.call('GET', `${NOTES}/${id}`, { token: agent }), 'INVALID_INPUT');
  });

  it('an unknown route is NOT_FOUND, and a known one under another method METHOD_NOT_ALLOWED, before sign-in', async () => {
    assertRefused(await service.call('GET', '/v1/nothing-here'), 'NOT_FOUND');
    const { headers, ...answer } = await service.call('PATCH', NOTES);
    assertRefused({ headers, ...answer }, 'METHOD_NOT_ALLOWED');
    expect(headers.get('allow')).toBe('POST');
  });

  it('an answer has the caller’s trace id, or a new one if the caller sent none', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const { headers, body } = await take({}, { traceparent });
    expect(body.meta.trace_id).toBe(trace);
    expect(headers.get('mace-trace-id')).toBe(trace);
    const later = `01-${trace}-00f067aa0ba902b7-01-more`;
    expect((await take({}, { traceparent: later })).body.meta.trace_id).toBe(trace);
    for (const bad of [
      'x',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
      `ff-${trace}-00f067aa0ba902b7-01`,
      `${traceparent}-more`,
      `01-${trace}-00f067aa0ba902b7-01more`,
    ]) {
      const { trace_id } = (await take({}, { traceparent: bad })).body.meta;
      expect(trace_id).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(trace_id).not.toBe(trace);
    }
  });

  it('a command has the same identity for the same caller, route and key, and otherwise a different one', async () => {
    const keyed = (key: string, body: object = { title: 'keyed' }, token = agent) =>
      take<NoteTaken>(body, { 'idempotency-key': key }, token).then((answer) => answer.body);
    const first = await keyed('k-1');
    const again = await keyed('k-1');
    expect(again).toStrictEqual(first);
    expect((await keyed('k-2')).command_id).not.toBe(first.command_id);
    expect((await keyed('k-1', { title: 'keyed', value: 1 })).body_hash).not.toBe(first.body_hash);
    const other = await service.token('agent', { sub: named('agent-2') });
    expect((await keyed('k-1', { title: 'keyed' }, other)).command_id).not.toBe(first.command_id);
    for (const bad of ['', 'a b', 'x'.repeat(256)])
      assertRefused(await take({ title: 'keyed' }, { 'idempotency-key': bad }), 'INVALID_INPUT');
  });

  it('an unexpected error is hidden from the caller, and logged without its message', async () => {
    const answer = await take({ title: 'broken' });
    assertRefused(answer, 'INTERNAL');
    expect(JSON.stringify(answer.body)).not.toMatch(/secret/);
    const line = service.log.find(({ query_id }) => query_id === answer.body.meta.query_id);
    expect(String(line?.['stack'])).toMatch(/TypeError\n {4}at /);
    expect(JSON.stringify(service.log)).not.toMatch(/a secret that nobody may see/);
  });

  it('each failure writes one structured log line, with the fields of the logging template', async () => {
    // The first failure makes the process look at the facts; until then, it knows no hash of them.
    let { body } = await take({ title: 'SECRET' });
    const hashOf = (id: string) =>
      service.log.find(({ query_id }) => query_id === id)?.['sem_snapshot_hash'];
    while (hashOf(body.meta.query_id) === null) ({ body } = await take({ title: 'SECRET' }));
    const lines = service.log.filter(({ query_id }) => query_id === body.meta.query_id);
    expect(lines).toHaveLength(1);
    const { time_ms, timestamp, caller, body_hash, ...line } = lines[0] as Record<string, unknown>;
    expect(typeof time_ms).toBe('number');
    expect(String(timestamp)).toMatch(/^\d{4}-.*Z$/);
    expect(String(caller)).toMatch(/^[0-9a-f]{16}$/);
    expect(body_hash).toBe(keyedHashJson(TEST_KEYS.MACE_SIGNING_KEY, { title: 'SECRET' }));
    expect(line).toStrictEqual({
      level: 'info',
      type: 'error',
      error_code: 'INVALID_INPUT',
      query_id: body.meta.query_id,
      trace_id: body.meta.trace_id,
      agent_id: null,
      qcp_summary: null,
      sem_snapshot_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      system_version: line['system_version'],
      severity: 'info',
      status: 400,
      method: 'POST',
      route: NOTES,
      user_hash: null,
      reason: 'title must match /^[a-z_]+$/ regular expression',
      field: 'title',
      rule: 'must match /^[a-z_]+$/ regular expression',
    });
    expect(String(line['system_version'])).toMatch(/^mace-\d+\.\d+\.\d+$/);
  });

  it('a program that reads / gets the addresses of what the service has', async () => {
    const { status, headers, body } = await service.call<object>('GET', '/');
    expect([status, headers.get('vary')]).toStrictEqual([200, 'accept']);
    expect(body).toMatchObject({
      docs: '/docs',
      openapi: '/openapi.json',
      console: '/console/',
      health: { live: '/health/live', ready: '/health/ready' },
    });
    for (const path of JSON.stringify(body).match(/\/[a-z][a-z./]*/g) ?? [])
      expect([path, (await service.call('GET', path)).status]).toStrictEqual([path, 200]);
  });

  it('a browser that reads / gets a page that links to the console and the docs, and runs nothing', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, body } = await service.call<string>('GET', '/', {
      headers: { accept },
    });
    expect([status, headers.get('content-type')]).toStrictEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/console/', '/docs']) expect(body).toContain(`href="${path}"`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('the health routes show liveness and the state of every part', async () => {
    expect((await service.call('GET', '/health/live')).body).toStrictEqual({ status: 'ok' });
    const { status, body } = await service.call<{
      details: Record<string, Record<string, unknown>>;
    }>('GET', '/health/ready');
    expect(status).toBe(200);
    expect(body.details['event_store']?.['status']).toBe('up');
    expect(body.details['postgres']?.['status']).toBe('up');
    for (const name of ['sem', 'episodes', 'jobs', 'action_requests']) {
      const { position, lag, heartbeat_seconds_ago, stopped } =
        body.details[`projection_${name}`] ?? {};
      expect(String(position)).toMatch(/^\d+$/);
      expect(String(lag)).toMatch(/^\d+$/);
      expect(typeof heartbeat_seconds_ago).toBe('number');
      expect(stopped).toBeNull();
    }
  });

  it('the metrics count requests, commands and failures for Prometheus, without ids in any label', async () => {
    await service.call('GET', `${NOTES}/an-id-that-nobody-may-see`, { token: agent });
    const { headers, body } = await service.call<string>('GET', '/metrics');
    expect(headers.get('content-type') ?? '').toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).toMatch(
      /mace_http_request_duration_seconds_count\{method="GET",route="\/v1\/sample\/notes\/:id",status="200"\}/,
    );
    expect(body).toMatch(/mace_commands_total\{type="TakeNote"\} \d+/);
    expect(body).toMatch(/mace_failures_total\{code="INVALID_INPUT"\} \d+/);
    expect(body).toMatch(/mace_projection_position\{projection="sem"\} \d+/);
    expect(body).toMatch(/mace_projection_lag_positions\{projection="sem"\} \d+/);
    expect(body).toMatch(/mace_projection_lag_seconds\{projection="sem"\} \d+/);
    expect(body).toMatch(/mace_projection_stopped\{projection="sem"\} 0/);
    expect(body).not.toMatch(/an-id-that-nobody-may-see/);
  });

  it('requests that arrive together run in different turns of the event loop if they take long, so that other work goes on between them', async () => {
    const sockets = Array.from({ length: 5 }, () => connect(Number(new URL(service.url).port)));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(async (socket) => String(await once(socket, 'data')));
    for (const socket of sockets) {
      socket.write(
        `GET /v1/sample/busy HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${agent}\r\n\r\n`,
      );
    }
    const turns = (await Promise.all(answers)).map((answer) => /"turn":(\d+)/.exec(answer)?.[1]);
    for (const socket of sockets) socket.destroy();
    expect(turns).not.toContain(undefined);
    expect(new Set(turns).size).toBe(5);
  });

  it('the service serves its OpenAPI document with the fields of the bodies, and a page that loads nothing from other hosts', async () => {
    const { body } = await service.call<{
      paths: Record<string, unknown>;
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    }>('GET', '/openapi.json');
    expect(body.paths).toHaveProperty('/v1/jobs');
    expect(body.components.schemas['TakeNote']?.properties['title']).toStrictEqual({
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[a-z_]+$',
    });
    const page = await service.call<string>('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    expect((await service.call('GET', '/docs/swagger-ui-bundle.js')).status).toBe(200);
  });
});
