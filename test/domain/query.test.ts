import { describe, expect, test } from '@jest/globals';
import answers from '#domain/errors/golden_answers.json' with { type: 'json' };
import type { JobCommand } from '#domain/job/commands.js';
import type { Conclusion } from '#domain/query/events.js';
import { isAboutEarlierTurns } from '#domain/query/earlier-turns.js';
import { queryLogContent } from '#domain/query/log-content.js';
import { nextStep, type Step } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import { end, given } from './job-cases.js';
import { answered, asked, failed, met, proposalOf, verified, vote, voted } from './query-cases.js';
import { ensure } from '#test/support/ensure.js';

const after = (...commands: readonly JobCommand[]): QueryState => {
  const { query } = given()
    .when(...commands)
    .state();
  ensure(query);
  return query;
};
const needed = (...commands: readonly JobCommand[]): Step => nextStep(after(...commands));
const concluded = (...commands: readonly JobCommand[]): Conclusion => {
  const { conclusion } = after(...commands);
  // The query is not concluded, so the next line must throw.
  ensure(conclusion);
  return conclusion;
};
const typesAfter = (...commands: readonly JobCommand[]): readonly string[] =>
  given()
    .when(...commands)
    .events()
    .map(({ type }) => type);

const MATH = asked('What is 2 + 2?');
const yes = vote('a', true, 0.9);
const no = vote('b', false, 0.2, 'Count again.');

describe('A new query', () => {
  test('a new query is routed, with its hash, its user and a seeded time, and waits for the selected agent', () => {
    const [, , decision] = given()
      .when(...MATH)
      .events();
    expect(decision).toStrictEqual({
      type: 'router_decision',
      data: {
        query_hash: 'hash of the text',
        user_id: 'tuff',
        agent_id: 'math_agent',
        route_reason: 'math_detect',
        timestamp: '2025-06-01T00:00:00.002Z',
      },
    });
    expect(needed(...MATH)).toStrictEqual({ step: 'agent', call: 0, agent_id: 'math_agent' });
  });

  test('a new query that falls back to the generic agent also records that no rule matched', () => {
    expect(typesAfter(...asked('Do something weird'))).toStrictEqual([
      'job_started',
      'query_asked',
      'router_decision',
      'router_miss',
    ]);
  });

  test('a new query ends with ROUTER_NO_MATCH if no rule matches and the fallback is off', () => {
    const off = { constants: { router_toggles: { fallback: false } } };
    const { failure, answer } = concluded(...asked('Do something weird', off));
    expect([failure?.code, answer]).toStrictEqual(['ROUTER_NO_MATCH', null]);
  });

  test('a new query does not start unless the gate has passed it', () => {
    const [begin, ask] = asked('What is 2 + 2?') as [JobCommand, JobCommand & { op: 'query' }];
    const { input } = ask;
    expect(input.type).toBe('query_asked');
    const flagged = {
      ...input,
      data: { ...input.data, verdict: { outcome: 'flagged', findings: [], rule_set_version: '' } },
    } as unknown as typeof input;
    given().when(begin, { op: 'query', input: flagged }).thenRefused('PRIVACY_BLOCKED');
  });

  test('a new query about earlier turns is answered with the sentence of SPEC A5', () => {
    const { answer, confidence, agent_id } = concluded(
      ...asked('What was it I said two turns ago?'),
    );
    expect(answer).toBe(answers.EARLIER_TURNS);
    expect([confidence, agent_id]).toStrictEqual([1, 'generic_agent']);
  });

  test('a new query that asks for earlier turns in other words gets the same sentence, as query_asked recorded', () => {
    const text = 'What was the last thing we decided?';
    const { answer, failure } = concluded(...asked(text));
    expect(String(answer)).toMatch(/^I don’t have long-term storage/);
    expect(failure).toBeNull();
    expect(after(...asked(text, { asks_for: null })).conclusion).toBeNull();
  });

  for (const [text, about] of [
    ['Tell me what I said two turns ago', true],
    ['1 turn ago', true],
    ['what did I tell you', false],
    ['I said hello. What now?', false],
    ['Which colour was it that I told you?', true],
    ['What have I said?', true],
    ['What I say goes', false],
    ['somewhat I said', false],
  ] as const)
    test(`“${text}” is ${about ? '' : 'not '}about earlier turns`, () => {
      expect(isAboutEarlierTurns(text)).toBe(about);
    });
});

describe('An agent’s answer to a query', () => {
  const said = [...MATH, answered('math_agent', 0, '4')];

  test('an agent’s answer goes to the council; if approved, its confidence is the lower of the agent’s and the council’s', () => {
    expect(needed(...said).step).toBe('council');
    const { answer, confidence, notices, degraded } = concluded(...said, voted(0, yes));
    expect([answer, confidence, notices, degraded]).toStrictEqual(['4', 0.9, [], []]);
  });

  test('an agent’s answer is accepted once, and only from the call that the query waits for', () => {
    given()
      .when(...said, answered('math_agent', 0, '5'), answered('generic_agent', 1, '6'))
      .thenTypes('job_started', 'query_asked', 'router_decision', 'agent_answered');
    given()
      .when(...MATH, answered('generic_agent', 0, '4'), answered('math_agent', 1, '4'))
      .thenTypes('job_started', 'query_asked', 'router_decision');
  });

  test('an agent’s answer is not accepted after the timeout', () => {
    const late = [
      ...MATH,
      failed('math_agent', 0, 'AGENT_TIMEOUT'),
      answered('math_agent', 0, 'late'),
    ];
    expect(after(...late).answers).toStrictEqual([]);
    expect(needed(...late)).toStrictEqual({ step: 'agent', call: 1, agent_id: 'generic_agent' });
  });

  test('an agent’s answer about a missing fact is SEM_NOT_FOUND, and the miss is recorded', () => {
    const key = 'user/profile/user_tuff/name';
    const commands = [
      ...asked('What is my name?'),
      answered('profile_agent', 0, 'none', { missing_key: key }),
    ];
    expect(typesAfter(...commands).slice(-2)).toStrictEqual(['sem_miss', 'query_concluded']);
    const { failure } = concluded(...commands);
    expect([failure?.code, failure?.facts]).toStrictEqual(['SEM_NOT_FOUND', { key }]);
  });

  test('an agent’s answer that proposes personal data is PRIVACY_BLOCKED', () => {
    const { failure } = concluded(
      ...MATH,
      answered('math_agent', 0, 'x', { blocked_by: ['email'] }),
    );
    expect(failure?.facts).toStrictEqual({ finding_types: 'email' });
  });

  test('an agent’s answer that was redacted is followed by a redaction event', () => {
    const redaction = { field: 'text', type: 'email', hash: 'h', redaction_reason: 'PII_DETECTED' };
    const commands = [...MATH, answered('math_agent', 0, 'x', { redactions: [redaction] })];
    expect(typesAfter(...commands).at(-1)).toBe('pii_redacted');
  });
});

describe('A query for facts about the user', () => {
  const PERSONAL = asked('What is my hobby?');

  test('a query for facts about the user keeps its route, and waits for the profile agent', () => {
    const { route } = after(...PERSONAL);
    expect(route).toStrictEqual({ agent_id: 'knowledge_agent', route_reason: 'fact_lookup' });
    expect(needed(...PERSONAL)).toStrictEqual({
      step: 'agent',
      call: 0,
      agent_id: 'profile_agent',
    });
    const { agent_id, route_reason } = concluded(
      ...PERSONAL,
      answered('profile_agent', 0, 'Your hobby is chess.'),
      voted(0, yes),
    );
    expect([agent_id, route_reason]).toStrictEqual(['profile_agent', 'fact_lookup']);
  });

  test('a query for facts about the user has no fallback, since the generic agent would ask a model', () => {
    for (const code of ['AGENT_TIMEOUT', 'AGENT_ERROR'] as const)
      expect(concluded(...PERSONAL, failed('profile_agent', 0, code)).failure?.code).toBe(code);
  });

  test('a query for facts about the user records each missing fact beside the answer', () => {
    const also_missing = ['user/profile/user_tuff/hobby'];
    const types = typesAfter(
      ...asked('What is my name and my hobby?'),
      answered('profile_agent', 0, 'Your name is Ada.', { also_missing }),
    );
    expect(types.slice(-2)).toStrictEqual(['agent_answered', 'sem_miss']);
  });

  test('a query that an earlier release recorded without its facts keeps the agent of its route', () => {
    const earlier = asked('What is my hobby?', { asks_for: null });
    expect(needed(...earlier)).toStrictEqual({
      step: 'agent',
      call: 0,
      agent_id: 'knowledge_agent',
    });
  });
});

describe('An agent that fails', () => {
  test('an agent that fails is marked as degraded, and the generic agent is called next', () => {
    const commands = [...MATH, failed('math_agent', 0, 'AGENT_ERROR')];
    expect(typesAfter(...commands).at(-1)).toBe('agent_degraded');
    expect(needed(...commands)).toStrictEqual({
      step: 'agent',
      call: 1,
      agent_id: 'generic_agent',
    });
  });

  test('an agent’s failure is a notice beside the generic agent’s answer, with the time of the failure', () => {
    const { notices, degraded, agent_id } = concluded(
      ...MATH,
      failed('math_agent', 0, 'AGENT_TIMEOUT'),
      answered('generic_agent', 1, 'four'),
      voted(0, yes),
    );
    expect(degraded).toStrictEqual(['math_agent']);
    expect(agent_id).toBe('generic_agent');
    expect(notices).toStrictEqual([
      {
        code: 'AGENT_TIMEOUT',
        facts: { agent_id: 'math_agent', timeout_ms: 5000 },
        timestamp: '2025-06-01T00:00:00.003Z',
      },
    ]);
  });

  test('an agent’s failure becomes the query’s failure if the generic agent fails as well', () => {
    const { failure, notices } = concluded(
      ...MATH,
      failed('math_agent', 0, 'AGENT_TIMEOUT'),
      failed('generic_agent', 1, 'LLM_SERVICE_DOWN', [{ provider: 'one', failure: 'auth' }]),
    );
    expect([failure?.code, notices]).toStrictEqual(['AGENT_TIMEOUT', []]);
  });

  test('an agent that fails because no model is configured has no fallback, since the generic agent would call the same models', () => {
    const { failure } = concluded(
      ...asked('Write a poem'),
      failed('creative_agent', 0, 'LLM_SERVICE_DOWN', [{ provider: 'one', failure: 'auth' }]),
    );
    expect(failure?.facts).toStrictEqual({ reason: 'one: auth' });
  });

  test('an agent that fails during a repair passes the repair to the generic agent', () => {
    const commands = [
      ...MATH,
      answered('math_agent', 0, '5'),
      voted(0, no),
      failed('math_agent', 1, 'AGENT_ERROR'),
    ];
    expect(needed(...commands)).toStrictEqual({
      step: 'agent',
      call: 2,
      agent_id: 'generic_agent',
    });
  });
});

describe('The council’s decision', () => {
  const said = [...MATH, answered('math_agent', 0, '5')];

  test('a rejection by the council calls the same agent again with the suggested changes', () => {
    expect(needed(...said, voted(0, no))).toStrictEqual({
      step: 'agent',
      call: 1,
      agent_id: 'math_agent',
    });
  });

  test('the council’s decision is accepted once per round', () => {
    given()
      .when(...said, voted(1, yes))
      .thenTypes('job_started', 'query_asked', 'router_decision', 'agent_answered');
  });

  test('a rejection by the council ends in REPAIR_LIMIT_EXCEEDED after the job’s maximum of repairs', () => {
    const commands = [...asked('What is 2 + 2?', { constants: { max_repair_loops: 1 } })];
    const { failure } = concluded(
      ...commands,
      answered('math_agent', 0, '5'),
      voted(0, no),
      answered('math_agent', 1, '6'),
      voted(1, no),
    );
    expect([failure?.code, failure?.facts]).toStrictEqual([
      'REPAIR_LIMIT_EXCEEDED',
      { max_repair_loops: 1 },
    ]);
  });

  test('a tie in the council is a deadlock, unless auto_tie_break is on and the tie therefore requests a verification', () => {
    expect(concluded(...said, voted(0, yes, no)).failure?.code).toBe('COUNCIL_DEADLOCK');
    const breaking = asked('What is 2 + 2?', { constants: { auto_tie_break: true } });
    const tied = [...breaking, answered('math_agent', 0, '5'), voted(0, vote('a', true, 0.5))];
    expect(needed(...tied).step).toBe('verification');
    expect(concluded(...tied, verified(0, yes)).answer).toBe('5');
    expect(concluded(...tied, verified(0, null)).failure?.code).toBe('COUNCIL_DEADLOCK');
  });

  test('an approval with a confidence below min_confidence gives an answer with a warning', () => {
    const unsure = [...MATH, answered('math_agent', 0, '4', { confidence: 0.4 }), voted(0, yes)];
    const { answer, notices } = concluded(...unsure);
    expect([answer, notices.map(({ code }) => code)]).toStrictEqual(['4', ['LOW_CONFIDENCE']]);
  });
});

describe('A confirmation of a query’s proposal', () => {
  const key = 'user/profile/user_tuff/favorite_food';
  const confirming = asked('yes', { confirmation: proposalOf(key, 'pizza') });

  test('a confirmation waits for the confirmed action, and calls no agent', () => {
    expect(needed(...confirming).step).toBe('confirmation');
    expect(typesAfter(...confirming)).toStrictEqual(['job_started', 'query_asked']);
  });

  test('a confirmation is answered with the result of the action', () => {
    const done = { done: 'remembered', superseded: false, sem_event_number: 0 } as const;
    const { answer, agent_id } = concluded(...confirming, met(done));
    expect(answer).toBe('I’ve remembered that your favorite food is pizza.');
    expect(agent_id).toBe('operational_agent');
    const late = concluded(...confirming, met({ ...done, superseded: true }));
    expect(String(late.answer)).toMatch(/^A later value of your favorite food stands already/);
  });

  test('a confirmation whose action fails is answered with the reason', () => {
    const refused = {
      done: 'refused',
      code: 'SEM_WRITE_FAIL',
      facts: { stream: 'sem-x' },
    } as const;
    expect(concluded(...confirming, met(refused)).failure?.code).toBe('SEM_WRITE_FAIL');
  });

  test('a confirmation of a value with a $ in it repeats the value unchanged', () => {
    const confirmation = proposalOf(key, '$& and $1');
    const done = { done: 'remembered', superseded: false, sem_event_number: 0 } as const;
    const { answer } = concluded(...asked('yes', { confirmation }), met(done));
    expect(answer).toBe('I’ve remembered that your favorite food is $& and $1.');
  });
});

describe('A query’s job', () => {
  test('a query’s job cannot end before the query is concluded, and accepts nothing after its end', () => {
    given()
      .when(...MATH, end)
      .thenRefused('PERMISSION_DENIED');
    const whole = [...MATH, answered('math_agent', 0, '4'), voted(0, yes), end];
    expect(typesAfter(...whole).slice(-3)).toStrictEqual([
      'query_concluded',
      'job_ended',
      'episodic_summary',
    ]);
    given()
      .when(...whole, answered('math_agent', 0, '4'))
      .thenRefused('JOB_ENDED');
  });

  test('the ReflectiveLog of a query’s job has every call, vote and redaction, each with the number of its event', () => {
    const redaction = { field: 'text', type: 'email', hash: 'h', redaction_reason: 'PII_DETECTED' };
    const query = after(
      ...asked('What is 2 + 2?', { constants: { auto_tie_break: true } }),
      failed('math_agent', 0, 'AGENT_TIMEOUT'),
      answered('generic_agent', 1, 'four', { redactions: [redaction], tokens: 7 }),
      voted(0, vote('a', true, 0.5)),
      verified(0, yes),
    );
    const run = {
      query_id: 'q-1',
      agent_time_ms: new Map([
        [0, 5000],
        [1, 20],
      ]),
    };
    const log = queryLogContent(query, run);
    expect(log.agents_invoked).toStrictEqual(['math_agent', 'generic_agent']);
    expect(
      log.agent_outputs.map(({ text, time_ms, tokens }) => ({ text, time_ms, tokens })),
    ).toStrictEqual([{ text: 'four', time_ms: 20, tokens: 7 }]);
    expect(log.council_votes).toHaveLength(2);
    expect(log.redactions).toStrictEqual([{ ...redaction, field: 'agent_outputs.0.text' }]);
    expect(log.runtime_metrics).toStrictEqual({
      agent_calls: 2,
      agent_time_ms: 5020,
      council_rounds: 2,
      tokens: 7,
    });
    expect(log.query_id).toBe('q-1');
  });
});
