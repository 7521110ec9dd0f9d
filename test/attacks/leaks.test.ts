import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { unsigned } from '#test/support/token-issuer.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { aLog } from '#test/support/reflective-logs.js';
import { type Answered, type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** Personal values that the caller sends in every place that takes a text. */
const PERSONAL = {
  email: 'zoe.quist@example.org',
  card: '4111 1111 1111 1111',
  ssn: '219-09-9999',
  phone: '+1 415 555 2671',
  iban: 'DE89370400440532013000',
  name: 'Xylanderquist',
  password: 'password=Tr0ub4dor-swordfish',
};
const EVERYTHING = Object.values(PERSONAL).join(', ');
const [MODEL_KEY, IDEMPOTENCY_KEY] = ['model-key-Hq7vTz2LwKp9', `order-of-${PERSONAL.email}`];
const LLM_ERROR = `The prompt of ${PERSONAL.name} <${PERSONAL.email}> was refused`;
const MEMORY = { short_term: 4, semantic: true, profile: true };

/** Returns a value as it stands in a text, encoded for a URL, in JSON, and in base64. */
const formsOf = (value: string): readonly string[] => [
  value,
  value.replaceAll(/[ -]/g, ''),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64'),
];

describe('P6 Personal data and secrets in logs, metrics and failures', () => {
  const folder = temporaryFolder('leaks');
  let model: LanguageModelServer;
  let program: ServiceProcess;
  let service: ServiceClient;
  /** Every token that was sent, valid or not. */
  const tokens: string[] = [];
  /** The bodies of all failures, and the headers of all answers. */
  const shown: string[] = [];
  const codes = new Set<string>();

  beforeAll(async () => {
    model = await LanguageModelServer.start();
    model.always({ status: 500, body: JSON.stringify({ error: { message: LLM_ERROR } }) });
    program = ServiceProcess.spawn(folder.path, {
      MACE_LOG_LEVEL: 'trace',
      LEAKS_MODEL_KEY: MODEL_KEY,
      MACE_LLM_PROVIDERS: JSON.stringify([
        { name: 'main', base_url: model.baseUrl, model: 'm', api_key_env: 'LEAKS_MODEL_KEY' },
      ]),
    });
    service = await program.ready();
  });
  afterAll(async () => {
    await program?.stop();
    await model?.stop();
    folder.remove();
  });

  interface Sent {
    readonly token?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  }
  async function send<Body = Record<string, string>>(
    method: string,
    path: string,
    sent: Sent = {},
  ): Promise<Answered<Body>> {
    const answer = await service.call<Body>(method, path, sent);
    if (sent.token !== undefined) tokens.push(sent.token);
    shown.push(JSON.stringify([...answer.headers]));
    if (answer.status >= 400) {
      const envelope = answer.body as ErrorEnvelope;
      shown.push(JSON.stringify(envelope));
      codes.add(envelope.error_code);
    }
    return answer;
  }
  async function fails(
    code: ErrorCode,
    method: string,
    path: string,
    sent: Sent = {},
  ): Promise<void> {
    const { body } = await send<ErrorEnvelope>(method, path, sent);
    expect([method, path, body.error_code]).toStrictEqual([method, path, code]);
  }

  it('a whole session is served while each request carries personal data', async () => {
    const agent = await service.token('agent', { sub: PERSONAL.email });
    const user = await service.token('user', { sub: 'zoe', user_id: 'zoe' });
    const council = await service.token('council', { sub: `judge ${PERSONAL.ssn}` });
    const as = (token: string) => async (method: string, path: string, body?: unknown) => {
      const sent = { token, ...(body === undefined ? {} : { body }) };
      const answer = await send(method, path, sent);
      expect([method, path, answer.status < 300]).toStrictEqual([method, path, true]);
      return answer.body;
    };
    const byAgent = as(agent);
    const job = '/v1/jobs/a-leaky-job';
    await byAgent('POST', '/v1/jobs', { job_seed: 'a-leaky-job', goal: `Call ${EVERYTHING}` });
    const { wm_id } = await byAgent('POST', `${job}/wm`, {
      type: 'fact',
      value: { contact: EVERYTHING },
    });
    await byAgent('POST', `${job}/wm/${wm_id}/references`, {});
    await byAgent('POST', `${job}/wm/find`, { equals: { '/value/contact': EVERYTHING } });
    await byAgent('POST', `${job}/goals`, { goal: `Write to ${EVERYTHING}` });
    const { episodic_id } = await byAgent('POST', `${job}/episodes`, {
      summary: `Met ${EVERYTHING}`,
      payload: { [PERSONAL.email]: EVERYTHING },
    });
    await byAgent('POST', '/v1/episodes/query', { query_terms: EVERYTHING });
    const { request_id, proposal_hash } = await byAgent('POST', '/v1/action-requests', {
      episodic_id,
      target_sem_key: 'world/fact/a_fact/value',
      value: EVERYTHING,
      justification: `So says ${EVERYTHING}`,
    });
    await as(council)('POST', `/v1/action-requests/${request_id}/votes`, {
      vote: 'approve',
      reason: `I know ${EVERYTHING}`,
      proposal_hash,
    });
    await byAgent('POST', `${job}/end`, {});
    await byAgent('POST', `${job}/replays`, { mode: 'audit' });
    await byAgent('GET', `${job}/events`);
    await byAgent('POST', '/v1/memory/interactions', {
      assistant: 'helper',
      session_id: 'a-leaky-session',
      memory: MEMORY,
      user_text: `My name is ${PERSONAL.name}, write to ${EVERYTHING}.`,
      ai_text: `I will write to ${EVERYTHING}.`,
      tool_events: [{ to: EVERYTHING }],
    });
    await byAgent('POST', '/v1/memory/recall', {
      assistant: 'helper',
      session_id: 'a-leaky-session',
      memory: MEMORY,
      query: EVERYTHING,
    });
    const chat = `/v1/conversations/${PERSONAL.name}`;
    await byAgent('POST', `${chat}/items`, { items: [EVERYTHING, 'second'] });
    await byAgent('GET', `${chat}/items`);
    const suffix = { expected_suffix: ['second'], items: [{ to: EVERYTHING }] };
    await byAgent('POST', `${chat}/transactions`, { operation_id: 'op-1', ...suffix });
    await byAgent('POST', `${chat}/replays`, {});
    const { log_id } = await byAgent('POST', '/v1/reflective-logs', {
      ...aLog({ final_answer: EVERYTHING }),
    });
    await byAgent('POST', `/v1/reflective-logs/${log_id}/amendments`, {
      changes: { note: EVERYTHING },
      effect: 'note',
    });
    await as(user)('POST', '/v1/consents', { text: `Keep ${EVERYTHING}`, scope: 'persistent' });
    const poem = { query_text: `Write a poem about ${PERSONAL.name}` };
    const { body } = await send<ErrorEnvelope>('POST', '/v1/queries', { token: user, body: poem });
    expect(body.error_code).toBe('LLM_SERVICE_DOWN');
    expect(model.requests.length).toBeGreaterThan(0);
  });

  it('requests with personal data are refused in every way', async () => {
    const token = await service.token(['agent', 'user'], { sub: 'zoe', user_id: 'zoe' });
    const body = { value: EVERYTHING };
    const fact = '/v1/sem/user/profile/user_zoe/contact';
    const query = { query_text: `What is my card ${EVERYTHING}?` };
    await fails('PRIVACY_BLOCKED', 'PUT', fact, { token, body });
    await fails('PRIVACY_BLOCKED', 'POST', '/v1/queries', { token, body: query });
    await fails('PRIVACY_BLOCKED', 'POST', '/v1/route', { token, body: query });
    await fails('PRIVACY_BLOCKED', 'POST', '/v1/jobs', { token, body: { job_seed: PERSONAL.ssn } });
    const encoded = encodeURIComponent(EVERYTHING);
    await fails('INVALID_INPUT', 'GET', `/v1/jobs?session_id=${encoded}`, { token });
    await fails('INVALID_INPUT', 'GET', `/v1/jobs?${encoded}=1`, { token });
    await fails('INVALID_INPUT', 'GET', `/v1/jobs/${encoded}`, { token });
    await fails('INVALID_INPUT', 'GET', `${fact}?version=${encoded}`, { token });
    await send('GET', `/v1/sem?prefix=${encoded}`, { token });
    await fails('NOT_FOUND', 'GET', `/v1/${encoded}`, { token });
    await fails('INVALID_INPUT', 'GET', `/v1/jobs/%zz${PERSONAL.name}`, { token });
    await fails('PRIVACY_BLOCKED', 'GET', `/v1/conversations/${encoded}/items`, { token });
    const chat = `/v1/conversations/${PERSONAL.name}`;
    await fails('NOT_FOUND', 'POST', `${chat}/replays`, { token, body: {} });
    const asked = `${chat}/items?owner=user:${PERSONAL.name}`;
    await fails('PERMISSION_DENIED', 'GET', asked, { token });
    const moved = { operation_id: 'op-1', expected_suffix: [EVERYTHING], items: [EVERYTHING] };
    await fails('VERSION_CONFLICT', 'POST', `${chat}/transactions`, { token, body: moved });
    for (const malformed of [
      `{"value": "${EVERYTHING}`,
      `{"${PERSONAL.email}": 1}`,
      `{"value": "${PERSONAL.ssn}", "value": "${PERSONAL.card}"}`,
      `"${EVERYTHING}"`,
      JSON.stringify({ value: EVERYTHING, timestamp: PERSONAL.ssn }),
      JSON.stringify({ value: 'x'.repeat(1_100_000) + PERSONAL.email }),
    ])
      await fails('INVALID_INPUT', 'PUT', fact, { token, body: malformed });
    await fails('INVALID_INPUT', 'PUT', fact, {
      token,
      body: `value=${encoded}`,
      headers: { 'content-type': `text/${PERSONAL.name}` },
    });
    await fails('INVALID_INPUT', 'GET', fact, {
      token,
      headers: { 'mace-min-position': PERSONAL.email },
    });
    const keyed = { token, headers: { 'idempotency-key': IDEMPOTENCY_KEY } };
    await send('POST', '/v1/jobs', { ...keyed, body: { goal: 'one' } });
    await fails('IDEMPOTENCY_MISMATCH', 'POST', '/v1/jobs', { ...keyed, body: { goal: 'two' } });
    await fails('NOT_FOUND', 'POST', '/v1/projections/none/rebuild', {
      token: await service.token('admin', { sub: PERSONAL.email }),
      body: {},
    });
    const strange = await service.token('user', { sub: PERSONAL.email, user_id: PERSONAL.email });
    await fails('PRIVACY_BLOCKED', 'PUT', fact, { token: strange, body: { value: 'Oslo' } });
    await fails('INVALID_INPUT', 'POST', '/v1/reflective-logs/verification', {
      token: await service.token('admin'),
      body: { [PERSONAL.email]: EVERYTHING },
    });
  });

  it('bad tokens are refused', async () => {
    const valid = await service.token('agent', { sub: PERSONAL.email });
    const expired = await service.token('agent', { sub: PERSONAL.email, ttl: -60 });
    const claims = { sub: PERSONAL.email, roles: [PERSONAL.name] };
    for (const token of [expired, `${valid}x`, unsigned(claims), encodeURIComponent(EVERYTHING)])
      await fails('UNAUTHENTICATED', 'GET', '/v1/jobs', { token });
    for (const authorization of [`Basic ${valid}`, `Bearer ${EVERYTHING}`, valid])
      await fails('UNAUTHENTICATED', 'GET', '/v1/jobs', { headers: { authorization } });
    const { port } = new URL(service.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.end(`GET /v1/jobs ${EVERYTHING}\r\nauthorization: Bearer ${valid}\r\n\r\n`);
      });
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toContain('INVALID_INPUT');
    shown.push(answer);
  });

  it('no log line, metric, header or failure shows a personal value, a token or a key', async () => {
    for (const path of ['/metrics', '/health/ready', '/health/live', '/.well-known/jwks.json'])
      shown.push(JSON.stringify((await service.call<unknown>('GET', path)).body));
    const keys = JSON.parse(await readFile(join(folder.path, 'keys.json'), 'utf8')) as object;
    const bundleKey = await readFile(join(folder.path, 'bundle-key.pem'), 'utf8');
    expect(await program.stop()).toBe(0);
    const output = program.stdout + program.stderr;
    const levels = new Set(
      [...output.matchAll(/"level":"(\w+)"/g)].map(([, level]) => level as string),
    );
    expect([...levels].toSorted()).toStrictEqual(expect.arrayContaining(['debug', 'info', 'warn']));
    expect(codes.size).toBeGreaterThan(5);
    const secrets = [
      ...Object.values(keys as Record<string, string>),
      bundleKey.split('\n')[1] ?? '',
      MODEL_KEY,
      ...tokens.filter((token) => token.includes('.')),
      ...tokens.map((token) => token.split('.')[2] ?? '').filter((part) => part.length > 10),
    ];
    const hidden = [...Object.values(PERSONAL), IDEMPOTENCY_KEY].flatMap(formsOf);
    const text = [output, ...shown].join('\n');
    const leaked = [...hidden, ...secrets].filter(
      (value) => value.length > 5 && text.includes(value),
    );
    expect(
      leaked.map((value) => `${value}: ${text.split('\n').find((line) => line.includes(value))}`),
    ).toStrictEqual([]);
  });
});
