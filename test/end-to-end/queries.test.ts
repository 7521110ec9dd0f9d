import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Role } from '#platform/auth/roles.js';
import { MaceClient } from '#client/mace-client.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { jobDecider } from '#domain/job/decider.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { saying, TestParticipants, voting } from '#test/support/test-participants.js';
import { Asker, type QueryAnswer } from '#test/support/queries.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

const participants = new TestParticipants();
let model: LanguageModelServer;
let service: TestService;
let user: Caller;
let asker: Asker;
let auditor: Caller;

beforeAll(async () => {
  model = await LanguageModelServer.start();
  service = await TestService.start({
    more: participants.capabilities,
    environment: {
      MACE_LLM_PROVIDERS: JSON.stringify([
        { name: 'one', base_url: model.baseUrl, model: 'm', api_key: 'sk-test-9QmZ2' },
      ]),
    },
  });
  user = await Caller.of(service, 'user', { sub: named('u-tuff'), user_id: named('tuff') });
  asker = new Asker(service, user);
  auditor = await Caller.of(service, 'auditor');
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});
afterEach(() => {
  participants.restore();
  model.requests.length = 0;
  model.always({ say: 'A fine answer.', tokens: 3 });
});

type Recorded = { readonly type: string; readonly data: JsonObject };
const eventsOf = async (seed: string): Promise<readonly Recorded[]> =>
  (await user.get<{ events: Recorded[] }>(`jobs/${seed}/events?limit=500`)).events;
const typesOf = async (seed: string) => (await eventsOf(seed)).map(({ type }) => type);
const fact = (attribute: string) => `sem/user/profile/user_${named('tuff')}/${attribute}`;

describe('A query’s job', () => {
  test('a query’s job starts, routes, runs, is judged and ends, in this order', async () => {
    await user.did('PUT', fact('favorite_color'), { body: { value: 'blue' } });
    const answered = await user.did<QueryAnswer>('POST', 'queries', {
      body: { query_text: 'What is my favourite colour?' },
    });
    const { job_seed, log_id } = answered.body;
    expect(await typesOf(job_seed)).toStrictEqual([
      'job_started',
      'query_asked',
      'router_decision',
      'memory_read',
      'agent_answered',
      'council_voted',
      'answer_judged',
      'query_concluded',
      'job_ended',
      'episodic_summary',
    ]);
    expect(log_id).toBe(reflectiveLogId(job_seed));
    const { jobs } = await user.get<{ jobs: { job_seed: string; status: string }[] }>('jobs', {
      after: positionOf(answered),
    });
    expect(jobs.find((job) => job.job_seed === job_seed)?.status).toBe('ended');
  });

  test('the ReflectiveLog of a query is signed, names its snapshots, and contains the answer and the votes', async () => {
    const answered = await asker.ask('What is my favourite colour?');
    const log = await user.get(`reflective-logs/${answered.log_id}`);
    const { snapshots } = await user.get<{ snapshots: JsonObject }>(`jobs/${answered.job_seed}`);
    expect(log['signature_valid']).toBe(true);
    expect(log['source']).toBe('user_request');
    expect(log['sem_snapshot_hash']).toBe(snapshots['sem_snapshot_hash']);
    expect(log['episodic_snapshot_id']).toBe(snapshots['episodic_snapshot_id']);
    expect(log['final_answer']).toBe(answered.answer);
    expect(log['final_confidence']).toBe(answered.confidence);
    expect(log['agents_invoked']).toStrictEqual(['profile_agent']);
    expect(
      (log['council_votes'] as JsonObject[]).map((vote) => vote['council_agent_id']),
    ).toStrictEqual(['safety_check', 'coherence_check', 'factuality_check']);
    expect(log['query_text_hash']).not.toBe(sha256Hex('What is my favourite colour?'));
    expect(String(log['query_text_hash'])).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the ReflectiveLog of a query contains the query_id that the caller got', async () => {
    const { headers, body } = await user.did<QueryAnswer>('POST', 'queries', {
      body: { query_text: 'What is my favourite colour?' },
    });
    const log = await user.get(`reflective-logs/${body.log_id}`);
    expect(log['query_id']).toBe(headers.get('mace-query-id'));
  });

  test('the bundle of a query’s job verifies, and its replay is identical without calling a model', async () => {
    const { job_seed, answer } = await asker.ask('Write a poem about the sea');
    expect(answer).toBe('A fine answer.');
    expect(model.requests).toHaveLength(1);
    model.always({ status: 500 });
    const report = await auditor.post(`jobs/${job_seed}/replays`, { mode: 'strict' });
    expect(report['identical']).toBe(true);
    // The model gets no second request.
    expect(model.requests).toHaveLength(1);
    const { body } = await auditor.did<string>('GET', `jobs/${job_seed}/bundle`);
    const bundle = await verifyBundle(jobDecider, body.trimEnd().split('\n'));
    expect([bundle, bundle.intact]).toStrictEqual([bundle, true]);
  });

  test('later facts change neither a query’s log nor its replay', async () => {
    await user.did('PUT', fact('favorite_color'), { body: { value: 'blue' } });
    const { job_seed, log_id } = await asker.ask('What is my favourite colour?');
    const before = await user.get(`reflective-logs/${log_id}`);
    await user.did('PUT', fact('favorite_color'), { body: { value: 'green' } });
    const report = await auditor.post(`jobs/${job_seed}/replays`, { mode: 'strict' });
    expect(report['identical']).toBe(true);
    expect(await user.get(`reflective-logs/${log_id}`)).toStrictEqual(before);
  });

  test('the job of a query accepts no end command from a caller', async () => {
    let ended: unknown;
    participants.agent('generic_agent', async (...asked) => {
      const agent = await Caller.of(service, 'agent', {
        sub: named('u-tuff'),
        user_id: named('tuff'),
      });
      ended = (await agent.ask('POST', `jobs/${named('own-end')}/end`, { body: {} })).body
        .error_code;
      return saying('done')(...asked);
    });
    expect((await asker.ask('Tell me something', { job_seed: named('own-end') })).answer).toBe(
      'done',
    );
    expect(ended).toBe('PERMISSION_DENIED');
  });
});

describe('Retried queries', () => {
  test('a query that is retried with the same key gets the first answer, and no model is called again', async () => {
    const body = { query_text: 'Write a poem about rain' };
    const first = await user.did<QueryAnswer>('POST', 'queries', { body, key: 'poem-1' });
    model.always({ say: 'Another answer.' });
    const again = await user.did<QueryAnswer>('POST', 'queries', { body, key: 'poem-1' });
    expect(again.body).toStrictEqual(first.body);
    expect(model.requests).toHaveLength(1);
    const other = { query_text: 'Write a poem about snow' };
    await user.refused('IDEMPOTENCY_MISMATCH', 'POST', 'queries', { body: other, key: 'poem-1' });
  });

  test('a retry that arrives during the first request is the same query', async () => {
    const body = { query_text: 'Write a poem about wind' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => user.did<QueryAnswer>('POST', 'queries', { body, key: 'poem-2' })),
    );
    expect(new Set(answers.map((one) => JSON.stringify(one.body))).size).toBe(1);
    expect(model.requests).toHaveLength(1);
  });

  test('a retried query gets the same failure', async () => {
    const body = { query_text: 'What is my name?' };
    const first = await user.refused('SEM_NOT_FOUND', 'POST', 'queries', { body, key: 'miss-1' });
    const again = await user.refused('SEM_NOT_FOUND', 'POST', 'queries', { body, key: 'miss-1' });
    expect(again['log_id']).toBe(first['log_id']);
  });

  test('a query whose seed is already in use is refused, and the refusal does not show another caller’s answer', async () => {
    await asker.ask('What is my favourite colour?', { job_seed: named('seed-1') });
    const body = { query_text: 'What is my favourite colour?', job_seed: named('seed-1') };
    await user.refused('JOB_EXISTS', 'POST', 'queries', { body });
  });
});

describe('A job that several requests name', () => {
  test('of two questions that name the same job at once, one is answered and the other is refused', async () => {
    const job_seed = `named-${randomUUID()}`;
    const answers = await Promise.all(
      ['What is 1 + 1?', 'What is 2 + 2?'].map((query_text) =>
        user.ask<QueryAnswer>('POST', 'queries', { body: { query_text, job_seed } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toStrictEqual([200, 409]);
    const answered = answers[statuses.indexOf(200)]!.body;
    const asked = (await eventsOf(job_seed)).filter(({ type }) => type === 'query_asked');
    expect(asked).toHaveLength(1);
    expect(answered.answer).toBe(
      asked[0]?.data['query_text'] === 'What is 1 + 1?' ? '1 + 1 = 2' : '2 + 2 = 4',
    );
  });
});

describe('Events recorded before a model call', () => {
  test('a query without calls to models is a single append', async () => {
    const { job_seed } = await asker.ask('What is 5 + 6?');
    const { events } = await user.get<{ events: { metadata: JsonObject }[] }>(
      `jobs/${job_seed}/events?limit=500`,
    );
    const commands = new Set(events.map(({ metadata }) => metadata['command_id']));
    expect(commands.size).toBe(1);
  });

  test('the events that led to a model call are recorded before the call, even if the model never answers', async () => {
    const recorded: string[] = [];
    const job_seed = `asked-${randomUUID()}`;
    participants.agent('creative_agent', async (...asked) => {
      recorded.push(...(await typesOf(job_seed)));
      return saying('A poem.')(...asked);
    });
    await user.did('POST', 'queries', {
      body: { query_text: 'Write a poem about rain', job_seed },
    });
    expect(recorded).toStrictEqual(['job_started', 'query_asked', 'router_decision']);
  });
});

describe('Confirming a proposed fact', () => {
  test('“remember …” proposes a fact, and the user’s confirmation writes the fact and links it to the ReflectiveLog', async () => {
    const asked = await asker.ask('Remember my favorite food is pizza');
    expect(asked.proposal).toStrictEqual({
      key: `user/profile/user_${named('tuff')}/favorite_food`,
      value: 'pizza',
    });
    await user.refused('SEM_NOT_FOUND', 'GET', fact('favorite_food'));
    const done = await asker.ask('yes', { confirm: asked.log_id });
    expect(done.answer).toBe('I’ve remembered that your favorite food is pizza.');
    expect(done.agent_id).toBe(asked.agent_id);
    const { value, source, meta } = await user.get(fact('favorite_food'));
    expect({ value, source, meta }).toStrictEqual({
      value: 'pizza',
      source: 'user',
      meta: { provenance_id: asked.log_id },
    });
    expect((await asker.ask('What is my favourite food?')).answer).toBe(
      'Your favorite food is pizza.',
    );
    const met = (await eventsOf(done.job_seed)).find(({ type }) => type === 'confirmation_met');
    expect(met?.data['outcome']).toStrictEqual({
      done: 'remembered',
      superseded: false,
      sem_event_number: 0,
    });
    const report = await auditor.post(`jobs/${done.job_seed}/replays`, { mode: 'strict' });
    expect(report['identical']).toBe(true);
  });

  test('S4 what an agent proposes for a user, only the user’s own token confirms', async () => {
    const [sub, ada] = [named('assistant'), named('ada')];
    const agent = await Caller.of(service, 'agent', { sub });
    const body = { query_text: 'Remember my editor is vim', user_id: ada };
    const { log_id } = await agent.post<QueryAnswer>('queries', body);
    const confirm = { query_text: 'yes', user_id: ada, confirm: log_id };
    const both = ['agent', 'user'] as const;
    for (const other of [
      agent,
      await Caller.of(service, 'agent', { sub, user_id: ada }),
      await Caller.of(service, both, { sub, user_id: ada }),
      await Caller.of(service, ['user', 'admin'], { sub: ada }),
      await Caller.of(service, 'admin', { sub, user_id: ada }),
    ])
      await other.refused('PERMISSION_DENIED', 'POST', 'queries', { body: confirm });
    const path = `sem/user/profile/user_${ada}/editor`;
    await agent.refused('SEM_NOT_FOUND', 'GET', path);
    const person = await Caller.of(service, 'user', { sub: ada });
    await person.post('queries', confirm);
    const { value, source } = await agent.get(path);
    expect({ value, source }).toStrictEqual({ value: 'vim', source: 'user' });
  });

  test('another caller cannot confirm, and only an answer with a proposal can be confirmed', async () => {
    const asked = await asker.ask('Remember my project is mace');
    const other = await Caller.of(service, 'user', {
      sub: named('other'),
      user_id: named('other'),
    });
    const body = { query_text: 'yes', confirm: asked.log_id };
    await other.refused('PERMISSION_DENIED', 'POST', 'queries', { body });
    await user.refused('SEM_NOT_FOUND', 'GET', fact('project'));
    const plain = await asker.ask('What is my favourite food?');
    const nothing = { query_text: 'yes', confirm: plain.log_id };
    await user.refused('INVALID_INPUT', 'POST', 'queries', { body: nothing });
    const unknown = { query_text: 'yes', confirm: 'd045728a-fe8a-5100-a661-0362c322e66c' };
    await user.refused('NOT_FOUND', 'POST', 'queries', { body: unknown });
  });

  test('a confirmation that is sent twice under one key puts the fact once', async () => {
    const asked = await asker.ask('Remember my units is metric');
    const body = { query_text: 'yes', confirm: asked.log_id };
    const first = await user.did('POST', 'queries', { body, key: 'yes-1' });
    const again = await user.did('POST', 'queries', { body, key: 'yes-1' });
    expect(again.body).toStrictEqual(first.body);
    expect((await user.get(fact('units')))['version']).toBe(0);
  });

  test('a proposal is confirmed once: later, or at the same time, it is VERSION_CONFLICT, and the fact stays as it is', async () => {
    const asked = await asker.ask('Remember my tea is green');
    const body = { query_text: 'yes', confirm: asked.log_id };
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((key) => user.ask<QueryAnswer>('POST', 'queries', { body, key })),
    );
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409]);
    await user.did('PUT', fact('tea'), { body: { value: 'black' } });
    await user.refused('VERSION_CONFLICT', 'POST', 'queries', { body });
    const { value, version } = await user.get(fact('tea'));
    expect({ value, version }).toStrictEqual({ value: 'black', version: 1 });
  });

  test('the confirmation of a doubtful answer requests one review, which a council amendment settles', async () => {
    participants.agent('generic_agent', saying('perhaps', { confidence: 0.2 }));
    const asked = await asker.ask('Tell me something');
    expect(asked.notices[0]?.error_code).toBe('LOW_CONFIDENCE');
    const done = await asker.ask('yes, please', { confirm: asked.log_id });
    expect(done.answer).toBe('I’ve asked for a human review of that answer.');
    await asker.ask('yes, please', { confirm: asked.log_id });
    const council = await Caller.of(service, 'council', { sub: named('judge') });
    const open = async () =>
      (await council.get<{ reviews: JsonObject[] }>('reviews')).reviews.filter(
        (review) => review['log_id'] === asked.log_id,
      );
    const [review, ...more] = await open();
    expect(more).toHaveLength(0);
    ensure(review?.['reason'] === 'LOW_CONFIDENCE');
    expect(review['final_answer']).toBe('perhaps');
    await user.refused('PERMISSION_DENIED', 'GET', 'reviews');
    await council.post(`reflective-logs/${asked.log_id}/amendments`, {
      changes: { verdict: 'right' },
      effect: 'override_suggestion',
    });
    expect(await open()).toStrictEqual([]);
  });

  test('a council deadlock can be sent to review as well', async () => {
    participants.council(voting('yes', true, 0.9), voting('no', false, 0.1));
    const body = { query_text: 'Tell me something' };
    const envelope = await user.refused('COUNCIL_DEADLOCK', 'POST', 'queries', { body });
    participants.restore();
    const { answer } = await asker.ask('yes', { confirm: envelope['log_id'] as string });
    expect(answer).toBe('I’ve asked for a human review of that answer.');
  });
});

describe('What a query accepts and stores', () => {
  test('a query that the gate flags is blocked before a job starts, and recorded only in the caller’s audit stream', async () => {
    const body = { query_text: 'My SSN is 123-45-6789', job_seed: named('blocked-1') };
    const envelope = await user.refused('PRIVACY_BLOCKED', 'POST', 'queries', { body });
    expect(JSON.stringify(envelope)).not.toContain('123-45');
    await user.refused('NOT_FOUND', 'GET', `jobs/${named('blocked-1')}`);
  });

  test('personal data in a model’s answer is not recorded, and the answer is repaired', async () => {
    model.next(
      { say: 'Write to alice@example.com.', tokens: 9 },
      { say: 'Write to them.', tokens: 4 },
    );
    const { answer, job_seed, log_id } = await asker.ask('Write a poem with an address');
    expect(answer).toBe('Write to them.');
    const events = await eventsOf(job_seed);
    expect(events.some(({ type }) => type === 'pii_redacted')).toBe(true);
    expect(JSON.stringify(events)).not.toContain('alice@');
    const log = await user.get<{ agent_outputs: { text: string }[]; redactions: JsonObject[] }>(
      `reflective-logs/${log_id}`,
    );
    expect(log.agent_outputs[0]?.text).toBe('Write to [REDACTED:email].');
    ensure(log.redactions[0]?.['field'] === 'agent_outputs.0.text');
    expect(log.redactions[0]['type']).toBe('email');
  });

  test('a query for another user, and blank, long and malformed queries are refused', async () => {
    const foreign = { query_text: 'What is my name?', user_id: named('somebody') };
    await user.refused('PERMISSION_DENIED', 'POST', 'queries', { body: foreign });
    for (const body of [
      { query_text: '' },
      { query_text: ' \n ' },
      { query_text: 'x'.repeat(16_001) },
      { query_text: 'hello', job_seed: 'a seed' },
      { query_text: 'hello', constants: { no_such: 1 } },
      { query_text: 'hello', context_tags: { long: 'x'.repeat(5_000) } },
      { query_text: 'hello', more: true },
      {},
    ])
      await user.refused('INVALID_INPUT', 'POST', 'queries', { body });
  });

  test('an agent that asks a question on behalf of one user cannot read another user’s facts', async () => {
    await user.did('PUT', fact('favorite_color'), { body: { value: 'blue' } });
    const agent = await Caller.of(service, 'agent', { sub: named('curious') });
    const body = { query_text: 'What is my favourite colour?', user_id: named('eve') };
    await agent.refused('SEM_NOT_FOUND', 'POST', 'queries', { body });
  });

  test('a query of 16,000 characters is answered', async () => {
    const { answer } = await asker.ask(`Tell me ${'so '.repeat(5_330)}`);
    expect(answer).toBe('A fine answer.');
  });
});

test('the SDK sends queries, routes them, and lists the answers that wait for a review', async () => {
  const clientFor = async (role: Role, sub: string, user_id?: string) =>
    new MaceClient({
      baseUrl: service.url,
      token: await service.token(role, { sub, ...(user_id === undefined ? {} : { user_id }) }),
    });
  const mine = await clientFor('user', named('u-tuff'), named('tuff'));
  const routed = await mine.queries.route({ query_text: 'Write a poem' });
  expect(routed).toStrictEqual({ agent_id: 'creative_agent', route_reason: 'creative', depth: 1 });
  participants.agent('creative_agent', saying('a poem, perhaps', { confidence: 0.1 }));
  const { answer, log_id } = await mine.queries.ask({ query_text: 'Write a poem' });
  expect(answer).toBe('a poem, perhaps');
  await mine.queries.ask({ query_text: 'yes', confirm: log_id });
  const { reviews } = await (await clientFor('council', named('judge-2'))).queries.reviews();
  expect(reviews.some((review) => review.log_id === log_id)).toBe(true);
});
