import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Agent } from '#agents/agent.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { hanging, saying, TestParticipants, voting } from '#test/support/test-participants.js';
import { assertNoticed, type Failure, failureOf, missOf } from '#test/support/failure.js';
import { HASH } from '#test/support/matchers.js';
import { answerWith, Asker } from '#test/support/queries.js';
import { TestService } from '#test/support/service.js';
import { eventsIn } from '../faults/support/log.js';

const KEY = 'sk-test-3VxQ8nLw2K';
const participants = new TestParticipants();
let first: LanguageModelServer;
let second: LanguageModelServer;
let service: TestService;
let user: Caller;
let asker: Asker;
let log: EventStore;

const provider = (name: string, server: LanguageModelServer) => ({
  name,
  base_url: server.baseUrl,
  model: `${name}-model`,
  api_key: KEY,
});

beforeAll(async () => {
  first = await LanguageModelServer.start();
  second = await LanguageModelServer.start();
  service = await TestService.start({
    ownLog: true,
    more: participants.capabilities,
    environment: {
      MACE_LLM_PROVIDERS: JSON.stringify([provider('one', first), provider('two', second)]),
    },
  });
  user = await Caller.of(service, 'user', { sub: 'tuff', user_id: 'user_tuff' });
  asker = new Asker(service, user);
  log = connectEventStore(service.eventStore.url);
});
afterAll(async () => {
  await log.close();
  await service.stop();
  await first.stop();
  await second.stop();
});
afterEach(() => {
  participants.restore();
  for (const server of [first, second]) {
    server.requests.length = 0;
    server.always({ say: 'A fine answer.', tokens: 3 });
  }
});

const eventTypes = async (seed: string): Promise<string[]> =>
  (await eventsIn(log, `job-${seed}`)).map(({ type }) => type);
const put = (attribute: string, value: unknown) =>
  user.did('PUT', `sem/user/profile/user_tuff/${attribute}`, { body: { value } });
const lines = (type: string) => service.log.filter((line) => line['type'] === type);

const TIMED_OUT = failureOf('AGENT_TIMEOUT', { agent_id: 'math_agent', timeout_ms: 400 });
const CRASHED = failureOf('AGENT_ERROR', { agent_id: 'math_agent' });
const modelsDown = (reason: string) => failureOf('LLM_SERVICE_DOWN', { reason });
const deadlock = (score: number) => failureOf('COUNCIL_DEADLOCK', { score, threshold: 0.6 });
const STILL_REJECTED = failureOf('REPAIR_LIMIT_EXCEEDED', { max_repair_loops: 3 });
/** Returns a failure of a query, whose envelope names the agents that failed. */
const degrading = (failure: Failure, ...degraded: readonly string[]): Failure => ({
  ...failure,
  extra: { degraded },
});

/** The timeout is long, because the first computation waits until its worker has loaded. */
const patient = { constants: { agent_timeout_ms: 10_000 } };
const soon = { constants: { agent_timeout_ms: 400 } };
const crashing: Agent['answer'] = async () => {
  throw new TypeError('reading x of undefined: a secret that nobody may see');
};

describe('Facts in answers', () => {
  test('002-T8 [stage0] [golden] [critical] a missing fact is reported as missing, and nothing is written', async () => {
    const key = 'user/profile/user_tuff/favorite_color';
    const { envelope, line } = await asker.fails(missOf(key), 'What is my favorite color?');
    expect(line).toMatchObject({ event: 'sem_miss', key });
    const refused = await user.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`);
    expect(refused['result']).toStrictEqual({ exists: false, value: null });
    // Neither the question nor the read has written anything, and no model has made up an answer.
    expect(await eventsIn(log, `sem-${key}`)).toStrictEqual([]);
    expect(first.requests).toHaveLength(0);
    expect(
      (await eventTypes(envelope.job_seed)).filter((type) => type === 'sem_miss'),
    ).toHaveLength(1);
  });

  test('002-key-T5 [stage0] [golden] [high] a query and a read of a key that was never put both say that it does not exist, and leave its stream empty', async () => {
    const key = 'user/profile/user_tuff/favorite_song';
    for (const query_text of ['What is my favorite song?', 'What is my favorite song?']) {
      const { envelope } = await asker.fails(missOf(key), query_text);
      expect(await eventTypes(envelope.job_seed)).toContain('sem_miss');
    }
    const read = await user.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`);
    expect(read['result']).toStrictEqual({ exists: false, value: null });
    expect(await eventsIn(log, `sem-${key}`)).toStrictEqual([]);
  });

  test('002-T24 [stage0] [golden] [high] the message for a missing fact is exact', async () => {
    const key = 'user/profile/user_tuff/favorite_food';
    const { envelope, line } = await asker.fails(missOf(key), 'What is my favourite food?');
    expect(line['agent_id']).toBe('profile_agent');
    const events = await user.get<{ events: { type: string; data: { key?: string } }[] }>(
      `jobs/${envelope.job_seed}/events?limit=100`,
    );
    const miss = events.events.find(({ type }) => type === 'sem_miss');
    expect(miss?.data.key).toBe(key);
  });

  test('002-T7 [stage0] [golden] [critical] a stored favourite colour is recalled', async () => {
    await put('favorite_color', 'blue');
    const { answer, agent_id, route_reason, confidence, log_id, notices, degraded } =
      await asker.ask('What is my favourite colour?');
    expect(answer).toBe('Your favorite color is blue.');
    expect([notices, degraded]).toStrictEqual([[], []]);
    expect({ agent_id, route_reason }).toStrictEqual({
      agent_id: 'profile_agent',
      route_reason: 'profile_lookup',
    });
    expect(confidence).toBe(1);
    // The service called no model.
    expect(first.requests).toHaveLength(0);
    const key = 'user/profile/user_tuff/favorite_color';
    const fact = await user.get(`sem/${key}`);
    expect(fact).toMatchObject({ exists: true, value: 'blue', source: 'user' });
    expect(fact['last_updated']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const reflective = await user.get<{ evidence: { ids?: string[] }[]; final_answer: string }>(
      `reflective-logs/${log_id}`,
    );
    expect(reflective.evidence.flatMap(({ ids }) => ids ?? [])).toStrictEqual([key]);
    expect(reflective.final_answer).toBe(answer);
    // To recall a fact writes none.
    expect((await eventsIn(log, `sem-${key}`)).map(({ type }) => type)).toStrictEqual(['fact_put']);
  });

  test('002-key-T7 [stage0] [golden] [medium] each way to ask for a fact leads through the synonyms to its one key and its value', async () => {
    const key = 'user/profile/user_tuff/favorite_color';
    await put('favorite_color', 'blue');
    for (const question of [
      'What is my fav colour?',
      'What’s my favourite colour?',
      "What's my favorite color?",
      'What is my favorite color?',
    ]) {
      const { answer, log_id } = await asker.ask(question);
      expect([question, answer]).toStrictEqual([question, 'Your favorite color is blue.']);
      const { evidence } = await user.get<{ evidence: { ids?: string[] }[] }>(
        `reflective-logs/${log_id}`,
      );
      expect(evidence.flatMap(({ ids }) => ids ?? [])).toStrictEqual([key]);
    }
    // A synonym is never a key (002 §6).
    for (const synonym of ['fav_colour', 'favourite_colour'])
      expect(await eventsIn(log, `sem-user/profile/user_tuff/${synonym}`)).toStrictEqual([]);
  });
});

describe('Routing in queries', () => {
  test('002-T12 [stage0] [golden] [high] mathematics is computed by the math agent', async () => {
    const { agent_id, route_reason, answer } = await asker.ask('Integrate x^2 dx', patient);
    expect([agent_id, route_reason]).toStrictEqual(['math_agent', 'math_detect']);
    expect(answer).toMatch(/x\^3/);
  });

  test('002-T13 [stage0] [golden] [high] a fact about the world is answered by the knowledge agent', async () => {
    const admin = await Caller.of(service, 'admin');
    const value = 'Voltage is current times resistance.';
    await admin.did('PUT', 'sem/world/fact/ohms_law/definition', { body: { value } });
    const { agent_id, route_reason, answer } = await asker.ask("What is Ohm's law?");
    expect([agent_id, route_reason, answer]).toStrictEqual([
      'knowledge_agent',
      'fact_lookup',
      value,
    ]);
    // The fact exists, so the service called no model.
    expect(first.requests).toHaveLength(0);
  });

  test('002-T14 [stage0] [golden] [high] a personal memory is looked up by its key at the query’s snapshot', async () => {
    await put('favorite_color', 'blue');
    const { agent_id, job_seed, log_id } = await asker.ask('What is my favorite color?');
    expect(agent_id).toBe('profile_agent');
    const log = await user.get<{ evidence: { ids?: string[] }[] }>(`reflective-logs/${log_id}`);
    expect(log.evidence.flatMap(({ ids }) => ids ?? [])).toStrictEqual([
      'user/profile/user_tuff/favorite_color',
    ]);
    const { status } = await user.get<{ status: string }>(`jobs/${job_seed}`);
    expect(status).toBe('ended');
  });

  test('002-T15 [stage0] [golden] [medium] a text that no rule matches goes to the generic agent; with the fallback off it is ROUTER_NO_MATCH', async () => {
    const unknown = 'Do something weird and unknown';
    const answered = await asker.ask(unknown);
    expect(answered).toStrictEqual(
      answerWith({
        answer: 'A fine answer.',
        agent_id: 'generic_agent',
        route_reason: 'fallback',
        confidence: 0.7,
      }),
    );
    expect(await eventTypes(answered.job_seed)).toStrictEqual([
      ...['job_started', 'query_asked', 'router_decision', 'router_miss', 'agent_answered'],
      ...['council_voted', 'answer_judged', 'query_concluded', 'job_ended', 'episodic_summary'],
    ]);
    const missed = lines('router_miss').at(-1);
    expect(missed).toMatchObject({ agent_id: 'generic_agent', query_hash: HASH });
    expect(service.log.filter((line) => line['query_id'] === missed?.['query_id'])).toStrictEqual([
      missed,
    ]);
    const off = { constants: { router_toggles: { fallback: false } } };
    const { envelope } = await asker.fails(failureOf('ROUTER_NO_MATCH'), unknown, off);
    const { events } = await user.get<{ events: { type: string; data: object }[] }>(
      `jobs/${envelope.job_seed}/events?limit=100`,
    );
    expect(events.map(({ type }) => type)).toStrictEqual([
      'job_started',
      'query_asked',
      'router_decision',
      'router_miss',
      'query_concluded',
      'job_ended',
      'episodic_summary',
    ]);
    expect(events[2]?.data).toMatchObject({ agent_id: null, route_reason: null });
    const summary = { depth_level: 1, intent_tags: [], urgency: 'normal' };
    const { log_id, meta } = envelope;
    const recorded = await user.get<{ qcp_summary: object }>(`reflective-logs/${log_id}`);
    expect(recorded.qcp_summary).toMatchObject(summary);
    const { query_id, trace_id } = meta;
    const ofQuery = service.log.filter((line) => line['query_id'] === query_id);
    const ids = { query_id, trace_id, qcp_summary: summary, sem_snapshot_hash: HASH };
    expect(ofQuery).toStrictEqual([
      expect.objectContaining({ ...ids, type: 'router_miss', agent_id: null }),
      expect.objectContaining({ ...ids, type: 'error', error_code: 'ROUTER_NO_MATCH' }),
    ]);
  });
});

describe('Agents that fail', () => {
  test('002-T16 [stage0] [golden] [high] an agent that times out is degraded, not called again, and the generic agent answers', async () => {
    const math = participants.agent('math_agent', hanging);
    const answered = await asker.ask('Solve 2 + 2.', soon);
    expect(answered.answer).toBe('A fine answer.');
    expect(answered.agent_id).toBe('generic_agent');
    expect(answered.route_reason).toBe('math_detect');
    expect(answered.degraded).toStrictEqual(['math_agent']);
    expect(math.count()).toBe(1);
    expect(answered.notices).toHaveLength(1);
    assertNoticed(service, answered.notices[0], TIMED_OUT);
  });

  test('002-T25 [stage0] [golden] [high] if the generic agent fails as well, the answer is exactly the failure of the first agent', async () => {
    participants.agent('math_agent', hanging);
    const generic = participants.agent('generic_agent', crashing);
    const failure = degrading(TIMED_OUT, 'math_agent', 'generic_agent');
    const { envelope, line } = await asker.fails(failure, 'Solve 2 + 2.', soon);
    expect(generic.count()).toBe(1);
    expect(line['agent_id']).toBe('math_agent');
    const failed = lines('agent_failed').filter(
      (one) => one['trace_id'] === envelope.meta.trace_id,
    );
    expect(failed.map((one) => [one['agent_id'], one['error_code']])).toStrictEqual([
      ['math_agent', 'AGENT_TIMEOUT'],
      ['generic_agent', 'AGENT_ERROR'],
    ]);
  });

  test('002-T17 [stage0] [golden] [high] an agent that crashes is degraded and replaced, and its stack is logged', async () => {
    const math = participants.agent('math_agent', crashing);
    const { answer, degraded, notices } = await asker.ask('Solve 2 + 2.');
    expect(answer).toBe('A fine answer.');
    expect(degraded).toStrictEqual(['math_agent']);
    expect(math.count()).toBe(1);
    assertNoticed(service, notices[0], CRASHED);
    const line = lines('agent_failed').at(-1);
    expect(String(line?.['stack'])).toMatch(/^TypeError\n {4}at /);
    expect(JSON.stringify(service.log)).not.toContain('a secret');
    participants.agent('generic_agent', crashing);
    await asker.fails(degrading(CRASHED, 'math_agent', 'generic_agent'), 'Solve 2 + 2.');
  });

  test('002-T16 [stage0] [golden] [high] an agent’s answer after its timeout is dropped', async () => {
    let late = (): void => undefined;
    const said = new Promise<void>((resolve) => (late = resolve));
    participants.agent('math_agent', async (...asked) => {
      await said;
      return saying('too late')(...asked);
    });
    const generic = participants.agent('generic_agent', async (...asked) => {
      late();
      await new Promise((resolve) => setImmediate(resolve));
      return saying('in time')(...asked);
    });
    const { answer, job_seed } = await asker.ask('Solve 2 + 2.', soon);
    expect(answer).toBe('in time');
    expect(generic.count()).toBe(1);
    const { events } = await user.get<{ events: { type: string; data: object }[] }>(
      `jobs/${job_seed}/events?limit=100`,
    );
    expect(events.filter(({ type }) => type === 'agent_answered')).toHaveLength(1);
  });
});

describe('Language models that fail', () => {
  const poem = 'Write a poem about the sea';

  test('002-T18 [stage0] [golden] [critical] if a provider fails, the next one is called', async () => {
    first.always({ status: 500 });
    const { answer, notices, degraded } = await asker.ask(poem);
    expect([answer, notices, degraded]).toStrictEqual(['A fine answer.', [], []]);
    expect([first.requests.length, second.requests.length]).toStrictEqual([1, 1]);
    expect(lines('language_model_failed').at(-1)?.['provider']).toBe('one');
  });

  test('002-T26 [stage0] [golden] [critical] if no model answers, each provider was tried once and the message is exact', async () => {
    first.always({ status: 500 });
    second.always({ status: 503 });
    const down = degrading(modelsDown('one: status, two: status'), 'creative_agent');
    const { line } = await asker.fails(down, poem);
    expect([first.requests.length, second.requests.length]).toStrictEqual([1, 1]);
    expect(line['cause']).toBeUndefined();
  });

  test('002-T18 [stage0] [golden] [critical] an API key that the provider refuses is LLM_SERVICE_DOWN for the caller, and AUTH_ERROR in the log', async () => {
    first.always({ status: 401 });
    second.always({ status: 401 });
    const down = degrading(modelsDown('one: auth, two: auth'), 'creative_agent');
    const { line } = await asker.fails(down, poem);
    expect(line['cause']).toBe('AUTH_ERROR');
    expect(line['agent_id']).toBe('creative_agent');
    expect(JSON.stringify(service.log)).not.toContain(KEY);
  });

  test('a model that never answers makes the agent time out, and its request is cancelled', async () => {
    first.always('hang');
    second.always('hang');
    const failure = failureOf('AGENT_TIMEOUT', { agent_id: 'creative_agent', timeout_ms: 400 });
    await asker.fails(degrading(failure, 'creative_agent', 'generic_agent'), poem, soon);
  });
});

describe('A divided council', () => {
  const question = 'Tell me something';

  test('002-T19 [stage0] [golden] [high] after three rejected repairs the answer is REPAIR_LIMIT_EXCEEDED', async () => {
    const generic = participants.agent('generic_agent', saying('again'));
    participants.council(voting('no', false, 0.2, 'Say something else.'));
    const { line } = await asker.fails(STILL_REJECTED, question);
    // The agent gave the first answer and three repairs.
    expect(generic.count()).toBe(4);
    expect(line['votes']).toStrictEqual([
      {
        council_agent_id: 'no',
        approve: false,
        scores: { factuality: 0.2, coherence: 0.2, safety: 0.2 },
      },
    ]);
    expect(line['weights']).toStrictEqual({});
  });

  test('002-T19 [stage0] [golden] [high] a repair that the council approves is the answer', async () => {
    participants.agent('generic_agent', async (asked, context) =>
      saying(asked.repair === undefined ? 'rough' : `${asked.repair.rejected}, then better`)(
        asked,
        context,
      ),
    );
    participants.council({
      id: 'strict',
      vote: (asked, said, context) =>
        voting('strict', said.text !== 'rough', 0.9, 'Better.').vote(asked, said, context),
    });
    const { answer, log_id } = await asker.ask(question);
    expect(answer).toBe('rough, then better');
    const log = await user.get<{ repair_loops: number; agent_outputs: unknown[] }>(
      `reflective-logs/${log_id}`,
    );
    expect([log.repair_loops, log.agent_outputs.length]).toStrictEqual([1, 2]);
  });

  test('002-T27 [stage0] [golden] [medium] a tie in the council is a deadlock', async () => {
    participants.council(voting('yes', true, 0.9), voting('no', false, 0.3));
    const { line } = await asker.fails(deadlock(0.6), question);
    expect(line['votes'] as unknown[]).toHaveLength(2);
    expect(line['weights']).toStrictEqual({});
  });

  test('002-T27 [stage0] [golden] [medium] an approval with a score below the threshold is a deadlock', async () => {
    participants.council(voting('yes', true, 0.4));
    await asker.fails(deadlock(0.4), question);
  });

  test('002-T27 [stage0] [golden] [medium] with auto_tie_break the most trusted member decides a tie', async () => {
    participants.council(voting('yes', true, 0.9), voting('no', false, 0.3));
    const constants = { auto_tie_break: true, council_weights: { yes: 1, no: 1 } };
    // Of equally trusted members, the one with the smallest id decides, and this member rejects.
    await asker.fails(STILL_REJECTED, question, { constants });
    participants.council(voting('a-yes', true, 0.9), voting('no', false, 0.3));
    const { answer, confidence } = await asker.ask(question, {
      constants: { auto_tie_break: true },
    });
    expect([answer, confidence]).toStrictEqual(['A fine answer.', 0.7]);
  });

  test('002-T27 [stage0] [golden] [medium] with auto_tie_break a tie that the most trusted member cannot decide becomes a deadlock only after a verification', async () => {
    participants.council(voting('lukewarm', true, 0.5));
    participants.verifier(voting('verification_agent', true, 0.9));
    const constants = { auto_tie_break: true };
    const { answer, log_id } = await asker.ask(question, { constants });
    expect(answer).toBe('A fine answer.');
    const log = await user.get<{ council_votes: { council_agent_id: string }[] }>(
      `reflective-logs/${log_id}`,
    );
    expect(log.council_votes.map(({ council_agent_id }) => council_agent_id)).toStrictEqual([
      'lukewarm',
      'verification_agent',
    ]);
    participants.verifier(voting('verification_agent', false, 0.9));
    await asker.fails(deadlock(0.5), question, { constants });
  });

  test('002 failure 8 [stage0] [golden] an answer with low confidence is returned with a warning', async () => {
    participants.agent('generic_agent', saying('perhaps', { confidence: 0.3 }));
    const { answer, confidence, notices } = await asker.ask(question);
    expect([answer, confidence]).toStrictEqual(['perhaps', 0.3]);
    const unsure = failureOf('LOW_CONFIDENCE', { confidence: 0.3, min_confidence: 0.5 });
    const line = assertNoticed(service, notices[0], unsure);
    expect(line['votes'] as unknown[]).toHaveLength(3);
  });
});
