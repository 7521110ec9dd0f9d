import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import answers from '#domain/errors/golden_answers.json' with { type: 'json' };
import { semStream } from '#domain/stream-names.js';
import { Caller } from '#test/support/caller.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { hanging, TestParticipants } from '#test/support/test-participants.js';
import { missOf } from '#test/support/failure.js';
import { answerWith, Asker } from '#test/support/queries.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const KEY = 'user/profile/user_123/favorite_color';
const QUESTION = 'What is my favourite colour?';
const SOLVE = 'Solve 2 + 2.';
const participants = new TestParticipants();
let model: LanguageModelServer;
let service: TestService;
let user: Caller;
let asker: Asker;

beforeAll(async () => {
  model = await LanguageModelServer.start();
  service = await TestService.start({
    ownLog: true,
    more: participants.capabilities,
    environment: {
      MACE_LLM_PROVIDERS: JSON.stringify([
        { name: 'one', base_url: model.baseUrl, model: 'm', api_key: 'sk-test-7Tq2Wc' },
      ]),
    },
  });
  user = await Caller.of(service, 'user', { sub: 'someone', user_id: '123' });
  asker = new Asker(service, user);
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});
afterEach(() => {
  participants.restore();
  model.requests.length = 0;
});

const put = (value: string, timestamp: string) =>
  user.did('PUT', `sem/${KEY}`, { body: { value, timestamp } });

test('004-G1 [stage0] [golden] [critical] the answer does not invent a missing colour', async () => {
  const { line } = await asker.fails(missOf(KEY), QUESTION);
  expect(line['agent_id']).toBe('profile_agent');
  // A model would have invented a colour.
  expect(model.requests).toStrictEqual([]);
});

test('004-G1 [stage0] [golden] [critical] the answer gives a stored colour in a sentence', async () => {
  await put('blue', '2026-01-01T00:00:01Z');
  const { answer, agent_id, degraded, notices } = await asker.ask(QUESTION);
  expect(answer).toBe('Your favorite color is blue.');
  expect([agent_id, degraded, notices]).toStrictEqual(['profile_agent', [], []]);
});

test('004-G2 [stage0] [golden] [critical] the answer gives the latest of contradictory values', async () => {
  const green = await put('green', '2026-01-01T00:00:02Z');
  const red = await put('red', '2026-01-01T00:00:03Z');
  expect((await asker.ask(QUESTION)).answer).toBe('Your favorite color is red.');
  const late = await put('green', '2026-01-01T00:00:02Z');
  expect((await asker.ask(QUESTION)).answer).toBe('Your favorite color is red.');
  expect([green, red, late].map(({ body }) => body['superseded'])).toStrictEqual([
    false,
    false,
    true,
  ]);
  expect((await user.get(`sem/${KEY}`))['value']).toBe('red');
});

test('004-G2 [stage0] [golden] [critical] the log keeps every one of the contradictory values', async () => {
  const log = new LogReader(service.eventStore.url);
  const events = await log.events(semStream(KEY));
  await log.close();
  expect(events.map(({ data }) => [data['value'], data['timestamp']])).toStrictEqual([
    ['blue', '2026-01-01T00:00:01.000Z'],
    ['green', '2026-01-01T00:00:02.000Z'],
    ['red', '2026-01-01T00:00:03.000Z'],
    ['green', '2026-01-01T00:00:02.000Z'],
  ]);
  const at = async (version: number) => (await user.get(`sem/${KEY}?version=${version}`))['value'];
  expect([await at(0), await at(1), await at(2), await at(3)]).toStrictEqual([
    'blue',
    'green',
    'red',
    'red',
  ]);
});

const degradations = async (code: string): Promise<number> => {
  const { body } = await service.call<string>('GET', '/metrics');
  const line = new RegExp(
    `^mace_agents_degraded_total\\{agent_id="math_agent",code="${code}"\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(body)?.[1] ?? 0);
};

for (const { code, how, fails, constants, developer_message, status } of [
  {
    code: 'AGENT_ERROR',
    how: 'throws an error',
    fails: () => Promise.reject(new Error('no')),
    constants: {},
    developer_message: 'Agent math_agent failed.',
    status: 500,
  },
  {
    code: 'AGENT_TIMEOUT',
    how: 'times out',
    fails: hanging,
    constants: { agent_timeout_ms: 400 },
    developer_message: 'Agent math_agent did not answer within 400 ms.',
    status: 504,
  },
] as const) {
  test(`004-G3 [stage0] [golden] [high] a math agent that ${how} is marked as degraded, not called again, and the generic agent answers`, async () => {
    model.always({ say: '2 + 2 = 4.', tokens: 7 });
    const math = participants.agent('math_agent', fails);
    const before = await degradations(code);
    const answered = await asker.ask(SOLVE, { constants });
    const { answer, degraded, agent_id, route_reason, notices, log_id } = answered;
    expect({ answer, degraded, agent_id, route_reason }).toStrictEqual({
      answer: '2 + 2 = 4.',
      degraded: ['math_agent'],
      agent_id: 'generic_agent',
      route_reason: 'math_detect',
    });
    expect(math.count()).toBe(1);
    // The generic agent is the product's own: it asked its model once, with the question.
    expect(model.requests.map(({ body }) => body.messages.at(-1)?.content)).toStrictEqual([SOLVE]);
    expect(notices.map((notice) => [notice.error_code, notice.developer_message])).toStrictEqual([
      [code, developer_message],
    ]);
    const log = await user.get<{ agents_invoked: string[] }>(`reflective-logs/${log_id}`);
    expect(log.agents_invoked).toStrictEqual(['math_agent', 'generic_agent']);
    expect(await degradations(code)).toBe(before + 1);
  });

  test(`004-G3 [stage0] [golden] [high] a math agent that ${how} is the failure of the query if the generic agent has no model either`, async () => {
    model.always({ status: 500 });
    const math = participants.agent('math_agent', fails);
    const body = { query_text: SOLVE, constants };
    const envelope = await user.refused(code, 'POST', 'queries', { body });
    expect([envelope.status, envelope.developer_message]).toStrictEqual([
      status,
      developer_message,
    ]);
    expect(envelope['degraded']).toStrictEqual(['math_agent', 'generic_agent']);
    expect([math.count(), model.requests.length]).toStrictEqual([1, 1]);
  });
}

test('004-G4 [stage0] [golden] [critical] the answer does not pretend to remember earlier turns', async () => {
  model.always({ say: 'You said hello.' });
  const logged = service.log.length;
  for (const question of [
    'Tell me what I said two turns ago in this conversation.',
    'Repeat the sentence from three turns ago',
    'Which colour was it that I told you?',
  ]) {
    const answered = await asker.ask(question);
    expect(answered).toStrictEqual(
      answerWith({
        answer: answers.EARLIER_TURNS,
        agent_id: 'generic_agent',
        route_reason: 'fallback',
        confidence: 1,
      }),
    );
    const log = new LogReader(service.eventStore.url);
    const types = await log.types(`job-${answered.job_seed}`);
    await log.close();
    // Nothing was read, and no agent was called.
    expect(types).toStrictEqual([
      ...['job_started', 'query_asked', 'router_decision', 'router_miss', 'query_concluded'],
      ...['job_ended', 'episodic_summary'],
    ]);
    const { final_answer, agents_invoked, evidence } = await user.get(
      `reflective-logs/${answered.log_id}`,
    );
    expect({ final_answer, agents_invoked, evidence }).toStrictEqual({
      final_answer: answers.EARLIER_TURNS,
      agents_invoked: [],
      evidence: [],
    });
  }
  // Each question is one line, and none is a failure.
  const lines = service.log.slice(logged).filter((line) => 'query_id' in line);
  expect(lines.map(({ type, level }) => [type, level])).toStrictEqual(
    Array.from({ length: 3 }, () => ['router_miss', 'info']),
  );
  // The service called no agent, so no model pretended to remember.
  expect(model.requests).toStrictEqual([]);
});
