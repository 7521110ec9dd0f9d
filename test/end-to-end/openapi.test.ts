import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROLES } from '#platform/auth/roles.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { JsonObject } from '#domain/json.js';
import { DescribedAnswers, type OpenApi } from '#test/support/described-answers.js';
import { aLog } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { type Answered } from '#test/support/service-client.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MEMORY = { short_term: 20, semantic: true, profile: true };
const TURN = {
  assistant: 'helper',
  session_id: named('s-1'),
  project_root: '/work/project',
  memory: MEMORY,
};

describe('openapi.json', () => {
  let service: TestService;
  let openApi: OpenApi;
  let answers: DescribedAnswers;
  let tokens: Readonly<Record<'everybody' | 'agent' | 'judge' | 'nobody', string>>;

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_COUNCIL_QUORUM: '1' } });
    openApi = (await service.call<OpenApi>('GET', '/openapi.json')).body;
    answers = new DescribedAnswers(openApi);
    tokens = {
      everybody: await service.token(ROLES, {
        sub: named('everybody'),
        user_id: named('everybody'),
      }),
      agent: await service.token('agent', { sub: named('everybody') }),
      judge: await service.token('council', { sub: named('judge') }),
      nobody: await service.token([], { sub: named('nobody') }),
    };
  });
  afterAll(() => service?.stop());

  /** Sends a request and checks its answer against the schema of `METHOD pattern` in openapi.json. */
  async function ask<Body = JsonObject>(
    operation: string,
    {
      path,
      body,
      by = 'everybody',
      headers,
    }: {
      /** The path with its parameters replaced by values, and with its query; default: the pattern. */
      path?: string;
      body?: unknown;
      by?: keyof typeof tokens;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Answered<Body>> {
    const [method = '', pattern = ''] = operation.split(' ');
    const token = tokens[by];
    const answer = await service.call<Body>(method, path ?? pattern, {
      token,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
    answers.check(operation, answer.status, answer.body);
    return answer;
  }

  /** The same as `ask`, for a request that must succeed. */
  async function did<Body = Readonly<Record<string, string>>>(
    operation: string,
    options: Parameters<typeof ask>[1] = {},
  ): Promise<Body> {
    const { status, body } = await ask<Body>(operation, options);
    expect(status).toBeLessThan(300);
    return body;
  }

  it('openapi.json has a schema for every answer of every route', () => {
    for (const [pattern, methods] of Object.entries(openApi.paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const at = `${method} ${pattern}`;
        for (const { content = {} } of Object.values(responses)) {
          const schemas = Object.values(content).map(({ schema }) => schema);
          expect(schemas.length).toBeGreaterThan(0);
          expect(schemas.every(Boolean)).toBe(true);
        }
        const succeeds = Object.keys(responses).some((status) => status.startsWith('2'));
        // A ReflectiveLog never changes, so a PATCH never succeeds (SPEC L3).
        expect([at, succeeds]).toStrictEqual([at, at !== 'patch /v1/reflective-logs/{id}']);
      }
  });

  it('openapi.json allows null only beside a type, because OpenAPI 3.0 ignores it elsewhere', () => {
    const untyped: string[] = [];
    JSON.stringify(openApi, (_key, value: unknown) => {
      const schema = value as JsonObject | null;
      if (schema?.['nullable'] === true && schema['type'] === undefined)
        untyped.push(JSON.stringify(schema));
      return value;
    });
    expect(untyped).toStrictEqual([]);
  });

  it('openapi.json lists the error codes of every route with their statuses', () => {
    for (const methods of Object.values(openApi.paths))
      for (const operation of Object.values(methods)) {
        const { responses, 'x-error-codes': codes } = operation as unknown as {
          responses: Record<string, { description: string }>;
          'x-error-codes': readonly ErrorCode[];
        };
        expect(codes).toContain('UNAUTHENTICATED');
        for (const code of codes)
          expect(responses[ERROR_TABLE[code].status]?.description ?? '').toMatch(new RegExp(code));
      }
  });

  it('openapi.json lets a request leave out a body whose fields are all optional', async () => {
    type WithBody = Readonly<
      Record<'post', { readonly requestBody: { readonly required: boolean } }>
    >;
    const bodyOf = (path: string) => (openApi.paths[path] as unknown as WithBody).post.requestBody;
    for (const path of ['/v1/jobs', '/v1/jobs/{seed}/end', '/v1/jobs/{seed}/ticks'])
      expect([path, bodyOf(path).required]).toStrictEqual([path, false]);
    expect(bodyOf('/v1/jobs/{seed}/goals').required).toBe(true);
    const agent = await Caller.of(service, 'agent');
    const { job_seed } = (await agent.did<{ job_seed: string }>('POST', 'jobs')).body;
    const ended = await agent.ask('POST', `jobs/${job_seed}/end`);
    expect(ended.status).toBe(200);
  });

  it('answers about jobs match openapi.json', async () => {
    const seed = named('described');
    const job = `/v1/jobs/${seed}`;
    await did('POST /v1/jobs', {
      body: { job_seed: seed, session_id: named('s-1'), goal: 'describe' },
    });
    const { wm_id } = await did('POST /v1/jobs/{seed}/wm', {
      path: `${job}/wm`,
      body: { type: 'fact', value: { city: 'Seattle', at: [1, null] }, ttl_ticks: 1_000 },
    });
    const use = { path: `${job}/wm/${wm_id}/references`, body: {} };
    await did('POST /v1/jobs/{seed}/wm/{wm_id}/references', use);
    await did('POST /v1/jobs/{seed}/ticks', { path: `${job}/ticks`, body: { count: 2 } });
    await did('POST /v1/jobs/{seed}/commands', {
      path: `${job}/commands`,
      body: {
        commands: [
          { op: 'wm_insert', type: 'hint', value: 'kept', ttl_ticks: 1_000 },
          { op: 'wm_reference', wm_id },
          { op: 'tick' },
          { op: 'episodic_write', summary: 'A city was named', payload: { city: 'Seattle' } },
        ],
      },
    });
    const found = await did<{ entries: { wm_id: string }[] }>('POST /v1/jobs/{seed}/wm/find', {
      path: `${job}/wm/find`,
      body: { exists: ['/value'] },
    });
    for (const entry of found.entries)
      for (let uses = 0; uses < 3; uses += 1) {
        const path = `${job}/wm/${entry.wm_id}/references`;
        await ask('POST /v1/jobs/{seed}/wm/{wm_id}/references', { path, body: {} });
      }
    const { entries } = await did<{ entries: { cwm_id_item: string }[] }>(
      'POST /v1/jobs/{seed}/cwm/find',
      { path: `${job}/cwm/find`, body: {} },
    );
    const [item] = entries;
    // The entry was promoted, so the CWM has an item.
    ensure(item);
    await did('POST /v1/jobs/{seed}/cwm/{item_id}/references', {
      path: `${job}/cwm/${item.cwm_id_item}/references`,
      body: {},
    });
    const forgotten = await did<{ wm_id: string }>('POST /v1/jobs/{seed}/wm', {
      path: `${job}/wm`,
      body: { type: 'temp', value: 'to be forgotten' },
    });
    await did('DELETE /v1/jobs/{seed}/wm/{wm_id}', { path: `${job}/wm/${forgotten.wm_id}` });
    await did('DELETE /v1/jobs/{seed}/cwm/{item_id}', { path: `${job}/cwm/${item.cwm_id_item}` });
    await did('POST /v1/jobs/{seed}/goals', { path: `${job}/goals`, body: { goal: 'another' } });
    const { episodic_id } = await did('POST /v1/jobs/{seed}/episodes', {
      path: `${job}/episodes`,
      body: { summary: 'An episode of a job', evidence: [{ from: 'a test' }] },
    });
    await did('GET /v1/jobs/{seed}', { path: job });
    await did('GET /v1/jobs/{seed}', { path: `${job}?version=1` });
    await did('POST /v1/jobs/{seed}/end', { path: `${job}/end`, body: {} });
    await did('GET /v1/jobs', { path: '/v1/jobs?limit=1' });
    await did('GET /v1/jobs/{seed}/events', { path: `${job}/events?limit=3` });
    await did('GET /v1/jobs/{seed}/events', { path: `${job}/events?kind=outcome` });
    await did('GET /v1/jobs/{seed}/timeline', { path: `${job}/timeline` });
    await did('GET /v1/jobs/{seed}/knew', { path: `${job}/knew` });
    await did('GET /v1/jobs/{seed}/states/{number}', { path: `${job}/states/3` });
    for (const mode of ['audit', 'strict'])
      await did('POST /v1/jobs/{seed}/replays', { path: `${job}/replays`, body: { mode } });
    await did('GET /v1/episodes/{id}', { path: `/v1/episodes/${episodic_id}` });
    await did('POST /v1/episodes/query', { body: { query_terms: 'episode of a job' } });
    await did('POST /v1/search', { body: { query: 'episode of a job' } });
    await did('GET /v1/projections');
    await did('POST /v1/projections/{name}/rebuild', {
      path: '/v1/projections/obligations/rebuild',
      body: {},
    });
  });

  it('answers about facts, keys and snapshots match openapi.json', async () => {
    const fact = 'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}';
    const path = `/v1/sem/world/city/${named('paris')}/country`;
    const body = { value: 'France', notes: 'A note', meta: { trust: 1 } };
    await did(fact.replace('GET', 'PUT'), { path, body });
    await did(fact, { path });
    await did('GET /v1/sem', { path: '/v1/sem?prefix=world/' });
    await did(`${fact}/history`, { path: `${path}/history` });
    for (const list of ['', '/reads', '/accesses'])
      await did(`GET /v1/why${list}`, {
        path: `/v1/why${list}?kind=fact&id=${path.slice('/v1/sem/'.length)}`,
      });
    await did('POST /v1/sem-keys', {
      body: { scope: 'world', entity_type: 'city', entity_id: 'Paris', attribute: 'mayor' },
    });
    for (const entity_id of [`${named('town')} +`, `${named('town')} #`])
      await did('POST /v1/sem-keys', {
        body: { scope: 'world', entity_type: 'city', entity_id, attribute: 'mayor' },
      });
    const { collisions } = await did<{ collisions: { collision_id: string }[] }>(
      'GET /v1/collisions',
      { path: '/v1/collisions?limit=500' },
    );
    await did('POST /v1/collisions/{id}/closure', {
      path: `/v1/collisions/${collisions.at(-1)?.collision_id}/closure`,
      body: { reason: 'Two towns.' },
    });
    await did('GET /v1/collisions', { path: '/v1/collisions?status=closed' });
    await did('POST /v1/sem-aliases/resolve', { body: { text: 'my favourite colour' } });
    await did('POST /v1/sem-aliases/resolve', { body: { text: 'nothing of this kind' } });
    const { snapshots } = await did<{ snapshots: { sem_snapshot_id: string } }>('POST /v1/jobs');
    await did('GET /v1/sem-snapshots/{id}', {
      path: `/v1/sem-snapshots/${snapshots.sem_snapshot_id}`,
    });
    await did(fact.replace('GET', 'DELETE'), { path });
    const missing = await ask(fact, { path });
    expect(missing.status).toBe(400);
  });

  it('answers about proposals and votes match openapi.json', async () => {
    const { job_seed } = await did('POST /v1/jobs');
    const { episodic_id } = await did('POST /v1/jobs/{seed}/episodes', {
      path: `/v1/jobs/${job_seed}/episodes`,
      body: { summary: 'What a proposal rests on' },
    });
    const body = {
      episodic_id,
      target_sem_key: `world/city/${named('lyon')}/country`,
      value: 'France',
      justification: 'It was said.',
    };
    await did('POST /v1/action-requests', { path: '/v1/action-requests?dry_run=true', body });
    const { request_id, proposal_hash } = await did('POST /v1/action-requests', { body });
    const discussed = await did('POST /v1/action-requests', { body });
    for (const [what, by, said] of [
      ['questions', 'judge', { question: 'Since when?' }],
      ['answers', 'everybody', { answer: 'For long.' }],
      ['revisions', 'judge', { value: 'la France', reason: 'Its full name.' }],
      ['assignments', 'judge', { to: 'judge' }],
      ['comments', 'judge', { text: 'I know the source.' }],
      ['snoozes', 'judge', { until: null }],
    ] as const)
      await did(`POST /v1/action-requests/{id}/${what}`, {
        path: `/v1/action-requests/${discussed.request_id}/${what}`,
        body: said,
        by,
      });
    const flagged = await did('POST /v1/action-requests', {
      body: { ...body, value: 'version +1 415 555 0132' },
    });
    await did('POST /v1/action-requests/{id}/clearances', {
      path: `/v1/action-requests/${flagged.request_id}/clearances`,
      body: { proposal_hash: flagged.proposal_hash, finding: 0, reason: 'It is a version.' },
      by: 'judge',
    });
    await did('GET /v1/action-requests/{id}/dossier', {
      path: `/v1/action-requests/${flagged.request_id}/dossier`,
    });
    await did('POST /v1/action-requests/{id}/votes', {
      path: `/v1/action-requests/${request_id}/votes`,
      body: { vote: 'approve', reason: 'It is so.', proposal_hash },
      by: 'judge',
    });
    await did('GET /v1/action-requests/{id}/dossier', {
      path: `/v1/action-requests/${discussed.request_id}/dossier`,
    });
    await did('GET /v1/action-requests/{id}/receipts/{number}', {
      path: `/v1/action-requests/${discussed.request_id}/receipts/0`,
    });
    await did('POST /v1/action-requests/rechecks', {
      body: { request_ids: [discussed.request_id, 'none'] },
    });
    await did('GET /v1/action-requests/figures');
    const none = [{ request_id: 'none', proposal_hash: '0'.repeat(64) }];
    for (const what of ['rejections', 'approvals'])
      await did(`POST /v1/action-requests/${what}`, { body: { requests: none, reason: 'No.' } });
    const { execution } = await did('GET /v1/action-requests/{id}', {
      path: `/v1/action-requests/${request_id}`,
    });
    expect(execution).not.toBeNull();
    await did('GET /v1/action-requests');
  });

  it('answers about consents and erasures match openapi.json', async () => {
    const { consent_id } = await did('POST /v1/consents', {
      body: { text: 'Keep what I say.', scope: 'persistent' },
    });
    await did('GET /v1/consents');
    await did('POST /v1/consents/{id}/revocation', {
      path: `/v1/consents/${consent_id}/revocation`,
      body: {},
    });
    const { request_id, proposal_hash } = await did('POST /v1/action-requests', {
      body: {
        kind: 'erasure',
        subject: `user:${named('forgotten')}`,
        reason_code: 'legal_erasure',
        justification: 'The user asks for it.',
      },
    });
    await did('POST /v1/action-requests/{id}/votes', {
      path: `/v1/action-requests/${request_id}/votes`,
      body: { vote: 'approve', reason: 'It is their right.', proposal_hash },
      by: 'judge',
    });
    const erasure = `/v1/erasures/${request_id}`;
    await did('POST /v1/erasures/{id}/execution', { path: `${erasure}/execution`, body: {} });
    await did('GET /v1/erasures/{id}', { path: erasure });
    await did('GET /v1/retention');
    const stream = `request-${request_id}`;
    await did('POST /v1/streams/replays', { body: { stream }, by: 'judge' });
    await did('GET /v1/positions', { path: '/v1/positions?at=2020-01-01T00:00:00Z' });
  });

  it('answers with ReflectiveLogs, amendments, feedback, labels, tags and reviews match openapi.json', async () => {
    const { log_id } = await did('POST /v1/reflective-logs', { body: aLog() });
    const log = `/v1/reflective-logs/${log_id}`;
    const add = (what: string, body: object, by: keyof typeof tokens = 'everybody') =>
      did(`POST /v1/reflective-logs/{id}/${what}`, { path: `${log}/${what}`, body, by });
    await add('amendments', { changes: { note: 'wrong' }, effect: 'note' });
    await add('feedback', { rating: 4 });
    await add('labels', { ground_truth_label: ['Paris'] });
    await add('tags', { audit_tags: ['seen'] });
    await add('reviews', { reason: 'Please look at it.' }, 'agent');
    await did('GET /v1/reflective-logs/{id}', { path: `${log}?artifacts=true` });
    await did('GET /v1/reflective-logs');
    await did('GET /v1/reviews');
    const changed = await ask('PATCH /v1/reflective-logs/{id}', { path: log, body: { source: 1 } });
    expect(changed.status).toBe(409);
    const refused = await ask('POST /v1/reflective-logs', { body: { log_id: 'none' } });
    expect(refused.status).toBe(400);
    await did('GET /v1/quarantine');
    await did('POST /v1/reflective-logs/verification', { body: {} });
    await did('POST /v1/integrity/verification', { body: { decisions: true } });
    await did('GET /v1/integrity/findings');
    await did('GET /v1/integrity/runs');
    const { checkpoint_id } = await did<{ checkpoint_id: string }>(
      'POST /v1/integrity/checkpoints',
      {
        body: {},
      },
    );
    await did('GET /v1/integrity/checkpoints');
    await did('POST /v1/integrity/checkpoints/{checkpoint_id}/comparisons', {
      path: `/v1/integrity/checkpoints/${checkpoint_id}/comparisons`,
      body: {},
    });
    await did('GET /v1/integrity/comparisons');
    for (const list of ['accesses', 'refusals', 'consents'] as const)
      await did(`GET /v1/oversight/${list}`);
    const job = named('read-in-clear');
    await did('POST /v1/jobs', { body: { job_seed: job } });
    await did('GET /v1/jobs/{seed}', { path: `/v1/jobs/${job}?unredacted=true` });
    const { accesses } = await did<{ accesses: { event: { position: string } }[] }>(
      'GET /v1/oversight/accesses',
      { path: `/v1/oversight/accesses?stream=job-${job}` },
    );
    await did('GET /v1/oversight/accesses/{position}/receipt', {
      path: `/v1/oversight/accesses/${accesses[0]!.event.position}/receipt`,
    });
  });

  it('answers about notes match openapi.json', async () => {
    const [namespace, key] = [[named('plans')], 'today'];
    const path = `/v1/notes?namespace=${named('plans')}&key=${key}`;
    const body = { namespace, key, value: { city: 'Oslo' }, ttl_seconds: 3_600 };
    await did('PUT /v1/notes', { body });
    await did('GET /v1/notes', { path });
    await did('POST /v1/notes/list', { body: { prefix: namespace } });
    await did('POST /v1/notes/namespaces');
    await did('DELETE /v1/notes', { path });
    await did('POST /v1/notes/history', { body: { namespace, key } });
    await did('POST /v1/notes/replays', { body: { namespace, key } });
    const missing = await ask('GET /v1/notes', { path });
    expect(missing.status).toBe(404);
  });

  it('answers about memories match openapi.json', async () => {
    const said = `I live in ${named('oslo')}. What is the time?`;
    const { kept } = await did<{ kept: { id: string }[] }>('POST /v1/remember', { body: { said } });
    const path = `/v1/memories/${kept[0]?.id}`;
    await did('POST /v1/recall', { body: { query: said } });
    await did('GET /v1/memories');
    await did('PUT /v1/memories/{memory_id}', { path, body: { text: named('rome') } });
    await did('GET /v1/memories/{memory_id}', { path });
    await did('POST /v1/memories/replays', { body: {} });
    await did('DELETE /v1/memories/{memory_id}', { path });
    const missing = await ask('GET /v1/memories/{memory_id}', { path });
    expect(missing.status).toBe(404);
  });

  it('each route of memories with a body has an example that the service takes', async () => {
    type Body = { requestBody?: { content: Record<string, { example?: object }> } };
    for (const [path, methods] of Object.entries(openApi.paths))
      for (const [method, { requestBody }] of Object.entries(methods as Record<string, Body>)) {
        if (!/^\/v1\/(?:remember|recall|memories)/.test(path) || requestBody === undefined)
          continue;
        const example = requestBody.content['application/json']?.example;
        const at = path.replace('{memory_id}', 'mem:00000000-0000-5000-8000-000000000000');
        const token = tokens.agent;
        const { body } = await service.call<JsonObject>(method.toUpperCase(), at, {
          ...{ token, body: example },
        });
        expect([path, method, example === undefined]).toStrictEqual([path, method, false]);
        expect([path, body['error_code']]).not.toStrictEqual([path, 'INVALID_INPUT']);
      }
  });

  it('answers about queries and routes match openapi.json', async () => {
    await did('POST /v1/queries', { body: { query_text: 'What is 2 + 2?' } });
    await did('POST /v1/route', { body: { query_text: 'What is 2 + 2?' } });
    await did('GET /v1/admin/queue');
    await did('GET /v1/admin/status');
  });

  it('answers of the Memory Contract match openapi.json', async () => {
    const said = (token: string) => ({
      ...TURN,
      user_text: `I prefer tea to coffee in ${token}.`,
      ai_text: 'Noted.',
      phase: { token, name: token },
    });
    await did('POST /v1/memory/interactions', { body: said('one') });
    await did('POST /v1/memory/interactions', { body: said('two') });
    await did('POST /v1/memory/recall', { body: { ...TURN, query: 'tea or coffee' } });
    const store = `/v1/memory/session/${named('s-1')}`;
    await did('GET /v1/memory');
    await did('GET /v1/memory/sessions', { path: `/v1/memory/sessions?user_id=${named('s-1')}` });
    await did('GET /v1/memory/{space}/{owner}', { path: store });
    await did('GET /v1/memory/{space}/{owner}/phases', { path: `${store}/phases` });
    await did('GET /v1/memory/{space}/{owner}/phases/diff', {
      path: `${store}/phases/diff?from=phase-1&to=phase-2`,
    });
    await did('GET /v1/memory/{space}/{owner}/traces', { path: `${store}/traces` });
    await did('GET /v1/memory/{space}/{owner}/turns', { path: `${store}/turns` });
  });

  it('answers about threads match openapi.json', async () => {
    const thread_id = 'thread';
    const place = { thread_id, checkpoint_id: 'c1' };
    await did('PUT /v1/threads/checkpoints', {
      body: {
        ...place,
        checkpoint: { v: 4 },
        metadata: { step: 0 },
        channel_versions: { answer: 1 },
        channel_values: { answer: 42 },
      },
    });
    await did('PUT /v1/threads/writes', {
      body: { ...place, task_id: 'task', writes: [{ index: 0, channel: 'answer', value: 43 }] },
    });
    await did('GET /v1/threads/checkpoints', {
      path: `/v1/threads/checkpoints?thread_id=${thread_id}`,
    });
    await did('POST /v1/threads/list', { body: { thread_id } });
    await did('POST /v1/threads/replays', { body: { thread_id } });
    await did('DELETE /v1/threads', { path: `/v1/threads?thread_id=${thread_id}` });
  });

  it('answers about conversations match openapi.json', async () => {
    const chat = '/v1/conversations/chat';
    const items = [{ role: 'user', content: 'Hello.' }, 'two', null];
    await did('POST /v1/conversations/{id}/items', { path: `${chat}/items`, body: { items } });
    await did('GET /v1/conversations/{id}/items', { path: `${chat}/items?last=2` });
    await did('POST /v1/conversations/{id}/transactions', {
      path: `${chat}/transactions`,
      body: { operation_id: 'op-1', from: 1, items: ['three'] },
    });
    await did('POST /v1/conversations/{id}/replays', { path: `${chat}/replays`, body: {} });
    for (const what of ['pop', 'clear', 'pop'] as const)
      await did(`POST /v1/conversations/{id}/${what}`, { path: `${chat}/${what}`, body: {} });
  });

  it('answers about the way into the console match openapi.json', async () => {
    await did('GET /v1/console/sign-in');
    await did('GET /v1/console/session');
    const { code } = await did('POST /v1/console/links', { body: {} });
    await did('POST /v1/console/sign-in', { body: { code } });
  });

  it('failures match openapi.json', async () => {
    const path = '/v1/jobs/no-such-job/ticks';
    const tick = 'POST /v1/jobs/{seed}/ticks';
    const statuses = [
      await ask(tick, { path, body: { count: 0 } }),
      await ask(tick, { path, body: {} }),
      await ask(tick, { path, body: {}, by: 'nobody' }),
    ].map(({ status }) => status);
    expect(statuses).toStrictEqual([400, 404, 403]);
  });

  it('the tests above have checked an answer of every route that a healthy service answers', () => {
    const unseen = answers.operations.filter((operation) => !answers.succeeded.has(operation));
    expect(unseen).toStrictEqual([
      'GET /v1/streams/bundle',
      'GET /v1/threads/bundle',
      'GET /v1/conversations/{id}/bundle',
      'GET /v1/jobs/{seed}/bundle',
      'GET /v1/events',
      'PATCH /v1/reflective-logs/{id}',
      'GET /v1/integrity/checkpoints/{checkpoint_id}',
      'POST /v1/integrity/comparisons',
      'GET /v1/memories/bundle',
      'GET /v1/positions/bundle',
      'GET /v1/notes/bundle',
      'POST /v1/admin/queue/{id}/retry',
      'DELETE /v1/admin/queue/{id}',
    ]);
  });

  it('the SDK’s types and field names and the requests of the MCP tools match openapi.json: npm run generate:client changes nothing', async () => {
    const folder = temporaryFolder('openapi');
    const described = join(folder.path, 'openapi.json');
    const made = ['api.ts', 'requests.ts', 'request-fields.ts'].map((name) =>
      join(folder.path, name),
    );
    await writeFile(described, JSON.stringify(openApi));
    await promisify(execFile)(process.execPath, [
      join(ROOT, 'scripts/generate-client.mjs'),
      described,
      ...made,
    ]);
    const textsOf = (paths: readonly string[]) =>
      Promise.all(paths.map((path) => readFile(path, 'utf8')));
    const checkedIn = [
      'libs/client/api.ts',
      'libs/mcp/requests.ts',
      'libs/client/request-fields.ts',
    ].map((path) => join(ROOT, path));
    expect(await textsOf(made)).toStrictEqual(await textsOf(checkedIn));
    folder.remove();
  });
});
