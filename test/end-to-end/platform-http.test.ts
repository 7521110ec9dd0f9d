import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SignJWT } from 'jose';
import { TokenVerifier } from '#apps/api/platform/auth/token-verifier.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { auditStream } from '#domain/audit/audit.decider.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { SampleCapability, type NoteTaken } from '../support/sample-capability.js';
import { type Answered, TEST_KEYS, TestService } from '../support/service.js';

const NOTES = '/v1/sample/notes';

function assertRefused({ status, headers, body }: Answered<ErrorEnvelope>, code: ErrorCode): void {
  const { user_message, severity, ...entry } = ERROR_TABLE[code];
  assert.equal(body.error_code, code);
  assert.equal(status, entry.status);
  assert.deepEqual(
    [body.status, body.severity, body.user_message],
    [entry.status, severity, user_message],
  );
  assert.equal(body.meta.query_id, headers.get('mace-query-id'));
  assert.equal(body.meta.trace_id, headers.get('mace-trace-id'));
  assert.match(body.meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}

describe('The platform', () => {
  let service: TestService;
  let eventStore: EventStore;
  let agent: string;

  before(async () => {
    service = await TestService.start({ more: [SampleCapability] });
    eventStore = connectEventStore(service.eventStore.url);
    agent = await service.token('agent');
  });
  after(async () => {
    await eventStore?.close();
    await service?.stop();
  });

  const take = <Body = ErrorEnvelope>(body: unknown, headers = {}, token = agent) =>
    service.call<Body>('POST', NOTES, { token, body, headers });

  const audited = async (sub: string): Promise<LoggedEvent[]> => {
    const events: LoggedEvent[] = [];
    for await (const event of eventStore.readStream(auditStream(sub))) events.push(event);
    return events;
  };

  describe('asks for a token', () => {
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

    it('and refuses none, an expired one, a tampered one, and one that another secret signed', async () => {
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
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
    });

    it('and refuses another algorithm, none at all, and a token that never expires', async () => {
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

    it('before it reads the body', async () => {
      assertRefused(await service.call('POST', NOTES, { body: '{"broken' }), 'UNAUTHENTICATED');
    });

    it('that has not expired, also one that it remembers', async ({ mock }) => {
      const verifier = new TokenVerifier({ jwtSecret: TEST_KEYS.MACE_JWT_SECRET });
      mock.timers.enable({ apis: ['Date'], now: Date.now() });
      const brief = await service.token('agent', { ttl: 60 });
      const actor = await verifier.actor(brief);
      assert.deepEqual(verifier.known(brief), actor);
      mock.timers.tick(66_000);
      assert.equal(verifier.known(brief), undefined);
      await assert.rejects(verifier.actor(brief), /UNAUTHENTICATED/);
    });

    it('of a role that the route names, and records who had another', async () => {
      const token = await service.token('council', { sub: 'curious' });
      assertRefused(await take({ title: 'a' }, {}, token), 'PERMISSION_DENIED');
      const [event, ...others] = await audited('curious');
      assert.equal(others.length, 0);
      assert.equal(event?.type, 'command_refused');
      assert.deepEqual(event?.data, {
        code: 'PERMISSION_DENIED',
        route: `POST ${NOTES}`,
        stream: null,
        uncounted_before: 0,
      });
    });
  });

  it('hands a controller its body, its caller and its identity', async () => {
    const { status, headers, body } = await take<NoteTaken>({ title: 'a_note', value: [1, 'two'] });
    assert.equal(status, 200);
    assert.deepEqual(body.value, [1, 'two']);
    assert.deepEqual(body.actor, { sub: 'agent-1', roles: ['agent'] });
    assert.match(body.command_id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.match(headers.get('mace-position') ?? '', /^\d+$/);
  });

  it('carries hostile keys in values as they are', async () => {
    const value = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":null}';
    const { body } = await take<NoteTaken>(`{"title":"hostile","value":${value}}`);
    assert.equal(JSON.stringify(body.value), value);
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });

  it('reads a list whose items choose their own shape, and null as a value', async () => {
    const commands = [{ op: 'note', value: null }, { op: 'pause' }, { op: 'pause', count: 2 }];
    const { body } = await take<NoteTaken>({ title: 'a_list', commands });
    assert.deepEqual(body.commands, ['NoteCommand', 'PauseCommand', 'PauseCommand']);
  });

  it('names the field of a bad body, and never its value', async () => {
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
      assert.match(answer.body.developer_message, reason);
      assert.doesNotMatch(answer.body.developer_message, /SECRET/);
    }
  });

  it('reads numbers of a query from their text, and refuses what is none', async () => {
    const read = (query: string) => service.call('GET', `${NOTES}/n-1${query}`, { token: agent });
    assert.deepEqual((await read('?limit=5')).body, { id: 'n-1', limit: 5 });
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

  it('refuses a path that it cannot read as it refuses a bad body', async () => {
    for (const id of ['%FF', '%00', 'a%2Fb', 'ä', 'x'.repeat(129), 'x'.repeat(3000)])
      assertRefused(await service.call('GET', `${NOTES}/${id}`, { token: agent }), 'INVALID_INPUT');
  });

  it('answers a route or a method that it does not have with NOT_FOUND', async () => {
    assertRefused(await service.call('GET', '/v1/nothing-here'), 'NOT_FOUND');
    assertRefused(await service.call('PATCH', NOTES, { token: agent }), 'NOT_FOUND');
  });

  it('passes on the trace of its caller, and mints one where that is none', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const { headers, body } = await take({}, { traceparent });
    assert.equal(body.meta.trace_id, trace);
    assert.equal(headers.get('mace-trace-id'), trace);
    for (const bad of ['x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
      assert.match(
        (await take({}, { traceparent: bad })).body.meta.trace_id,
        /^(?!0{32})[0-9a-f]{32}$/,
      );
  });

  it('gives a command the same identity for the same caller, route and key, and another otherwise', async () => {
    const keyed = (key: string, body: object = { title: 'keyed' }, token = agent) =>
      take<NoteTaken>(body, { 'idempotency-key': key }, token).then((answer) => answer.body);
    const first = await keyed('k-1');
    const again = await keyed('k-1');
    assert.deepEqual(again, first);
    assert.notEqual((await keyed('k-2')).command_id, first.command_id);
    assert.notEqual((await keyed('k-1', { title: 'keyed', value: 1 })).body_hash, first.body_hash);
    const other = await service.token('agent', { sub: 'agent-2' });
    assert.notEqual((await keyed('k-1', { title: 'keyed' }, other)).command_id, first.command_id);
    for (const bad of ['', 'a b', 'x'.repeat(256)])
      assertRefused(await take({ title: 'keyed' }, { 'idempotency-key': bad }), 'INVALID_INPUT');
  });

  it('waits for Mace-Min-Position, and says when it waited in vain', async () => {
    const read = (position: string) =>
      service.call('GET', `${NOTES}/n`, {
        token: agent,
        headers: { 'mace-min-position': position },
      });
    const reached = (await eventStore.lastPosition()) ?? 0n;
    assert.equal((await read(reached.toString())).status, 200);
    assertRefused(await read((reached + 1_000_000n).toString()), 'PROJECTION_LAG');
    assertRefused(await read('-1'), 'INVALID_INPUT');
  });

  it('records a refused command in the audit stream of its caller, at most sixty a minute', async () => {
    const token = await service.token('agent', { sub: 'insistent' });
    for (let sent = 0; sent < 70; sent += 1)
      assertRefused(await take({ title: 'job_ended' }, {}, token), 'JOB_ENDED');
    const events = await audited('insistent');
    const minutes = new Set(events.map(({ metadata }) => metadata.recorded_at.slice(0, 16)));
    assert.ok(minutes.size > 1 || events.length === 60, `${events.length} were recorded`);
    assert.equal(events[0]?.metadata.actor, 'insistent');
    assert.equal((await audited('agent-1')).length, 0);
  });

  it('hides what it did not foresee, and logs it without its message', async () => {
    const answer = await take({ title: 'broken' });
    assertRefused(answer, 'INTERNAL');
    assert.doesNotMatch(JSON.stringify(answer.body), /secret/);
    const line = service.log.find(({ query_id }) => query_id === answer.body.meta.query_id);
    assert.match(String(line?.['stack']), /TypeError\n {4}at /);
    assert.doesNotMatch(JSON.stringify(service.log), /a secret that nobody may see/);
  });

  it('writes one structured line a failure, with the fields of the logging template', async () => {
    const { body } = await take({ title: 'SECRET' });
    const lines = service.log.filter(({ query_id }) => query_id === body.meta.query_id);
    assert.equal(lines.length, 1);
    const { time_ms, timestamp, caller, ...line } = lines[0] as Record<string, unknown>;
    assert.equal(typeof time_ms, 'number');
    assert.match(String(timestamp), /^\d{4}-.*Z$/);
    assert.match(String(caller), /^[0-9a-f]{16}$/);
    assert.deepEqual(line, {
      level: 'info',
      type: 'error',
      error_code: 'INVALID_INPUT',
      query_id: body.meta.query_id,
      trace_id: body.meta.trace_id,
      agent_id: null,
      sem_snapshot_hash: null,
      system_version: line['system_version'],
      severity: 'info',
      status: 400,
      method: 'POST',
      route: NOTES,
    });
    assert.match(String(line['system_version']), /^mace-\d+\.\d+\.\d+$/);
  });

  it('shows in health that it lives, and where every part stands', async () => {
    assert.deepEqual((await service.call('GET', '/health/live')).body, { status: 'ok' });
    const { status, body } = await service.call<{
      details: Record<string, Record<string, unknown>>;
    }>('GET', '/health/ready');
    assert.equal(status, 200);
    assert.equal(body.details['event_store']?.['status'], 'up');
    assert.equal(body.details['postgres']?.['status'], 'up');
    for (const name of ['sem', 'episodes', 'jobs', 'action_requests']) {
      const { position, lag, heartbeat_seconds_ago, stopped } =
        body.details[`projection_${name}`] ?? {};
      assert.match(String(position), /^\d+$/);
      assert.match(String(lag), /^\d+$/);
      assert.equal(typeof heartbeat_seconds_ago, 'number');
      assert.equal(stopped, null);
    }
  });

  it('counts requests, commands and failures for Prometheus, without ids in any label', async () => {
    await service.call('GET', `${NOTES}/an-id-that-nobody-may-see`, { token: agent });
    const { headers, body } = await service.call<string>('GET', '/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(
      body,
      /mace_http_request_duration_seconds_count\{method="GET",route="\/v1\/sample\/notes\/:id",status="200"\}/,
    );
    assert.match(body, /mace_commands_total\{type="TakeNote"\} \d+/);
    assert.match(body, /mace_failures_total\{code="INVALID_INPUT"\} \d+/);
    assert.match(body, /mace_projection_position\{projection="sem"\} \d+/);
    assert.match(body, /mace_projection_lag_positions\{projection="sem"\} \d+/);
    assert.match(body, /mace_projection_stopped\{projection="sem"\} 0/);
    assert.doesNotMatch(body, /an-id-that-nobody-may-see/);
  });

  it('describes itself: OpenAPI with the fields of its bodies, and a page that loads nothing from elsewhere', async () => {
    const { body } = await service.call<{
      paths: Record<string, unknown>;
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    }>('GET', '/openapi.json');
    assert.ok('/v1/jobs' in body.paths);
    assert.deepEqual(body.components.schemas['NoteBody']?.properties['title'], {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^[a-z_]+$',
    });
    const page = await service.call<string>('GET', '/docs');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.body, /(src|href)="https?:/);
    assert.equal((await service.call('GET', '/docs/swagger-ui-bundle.js')).status, 200);
  });
});
