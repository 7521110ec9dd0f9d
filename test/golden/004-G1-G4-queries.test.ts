import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { saying, TestParticipants } from '#test/support/test-participants.js';
import { Asker } from '#test/support/queries.js';
import { TestService } from '#test/support/service.js';

const KEY = 'user/profile/user_123/favorite_color';
const QUESTION = 'What is my favourite colour?';
const participants = new TestParticipants();
let service: TestService;
let user: Caller;
let asker: Asker;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true, more: participants.capabilities });
  user = await Caller.of(service, 'user', { sub: 'someone', user_id: '123' });
  asker = new Asker(service, user);
});
afterAll(() => service.stop());
afterEach(() => participants.restore());

const put = (value: string, timestamp: string) =>
  user.did('PUT', `sem/${KEY}`, { body: { value, timestamp } });

test('004-G1 [stage0] [golden] [critical] the answer does not invent a missing colour', async () => {
  const envelope = await asker.fails(
    {
      code: 'SEM_NOT_FOUND',
      status: 400,
      severity: 'info',
      user_message:
        'I don’t have that information stored yet. If you want, tell me and I’ll remember it.',
      developer_message: `SEM lookup for key ${KEY} returned empty.`,
    },
    QUESTION,
  );
  expect(asker.lineOf(envelope)['agent_id']).toBe('profile_agent');
});

test('004-G1 [stage0] [golden] [critical] the answer gives a stored colour in a sentence', async () => {
  await put('blue', '2026-01-01T00:00:01Z');
  const { answer, agent_id, degraded, notices } = await asker.ask(QUESTION);
  expect(answer).toBe('Your favorite color is blue.');
  expect([agent_id, degraded, notices]).toStrictEqual(['profile_agent', [], []]);
});

test('004-G2 [stage0] [golden] [critical] the answer gives the latest of contradictory values', async () => {
  await put('green', '2026-01-01T00:00:02Z');
  await put('red', '2026-01-01T00:00:03Z');
  expect((await asker.ask(QUESTION)).answer).toBe('Your favorite color is red.');
  await put('green', '2026-01-01T00:00:02Z');
  expect((await asker.ask(QUESTION)).answer).toBe('Your favorite color is red.');
});

test('004-G3 [stage0] [golden] [high] a math agent that fails is marked as degraded, not called again, and replaced', async () => {
  const math = participants.agent('math_agent', () => Promise.reject(new Error('no')));
  const sorry = 'My math module failed just now; I’m unable to compute this.';
  const generic = participants.agent('generic_agent', saying(sorry));
  const { answer, degraded, agent_id } = await asker.ask('Solve 2 + 2.');
  expect({ answer, degraded, agent_id }).toStrictEqual({
    answer: sorry,
    degraded: ['math_agent'],
    agent_id: 'generic_agent',
  });
  expect([math.count(), generic.count()]).toStrictEqual([1, 1]);
  const { body } = await service.call<string>('GET', '/metrics');
  expect(body).toMatch(/mace_agents_degraded_total\{agent_id="math_agent",code="AGENT_ERROR"\} 1/);
});

test('004-G4 [stage0] [golden] [critical] the answer does not pretend to remember earlier turns', async () => {
  const generic = participants.agent('generic_agent', saying('You said hello.'));
  for (const question of [
    'Tell me what I said two turns ago in this conversation.',
    'Repeat the sentence from three turns ago',
    'Which colour was it that I told you?',
  ]) {
    const { answer, confidence } = await asker.ask(question);
    expect(answer).toBe(
      'I don’t have long-term storage of your previous messages yet; I only remember what’s currently in context.',
    );
    expect(confidence).toBe(1);
  }
  // The service called no agent.
  expect(generic.count()).toBe(0);
});
