import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '#domain/decider.js';
import type { JobCommand } from '#domain/job/commands.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobState } from '#domain/job/state.js';
import { nextStep } from '#domain/query/next-step.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { AGENT_IDS } from '#domain/router/rules.js';
import { end, STREAM } from '#test/domain/job-cases.js';
import {
  answered,
  asked,
  failed,
  met,
  proposalOf,
  verified,
  vote,
  voted,
} from '#test/domain/query-cases.js';
import { recorded } from '#test/domain/replay-recording.js';
import { ensure } from '#test/support/ensure.js';
import { tries } from '#test/support/tries.js';

const score = fc.constantFrom(0, 0.2, 0.5, 0.6, 0.9, 1);
const ballot = fc.tuple(fc.boolean(), score, fc.constantFrom('', 'Shorter.', 'Longer.'));
const votes = fc
  .array(ballot, { maxLength: 3 })
  .map((cast) => cast.map((one, index) => vote(`member-${index}`, ...one)));
const text = fc.constantFrom('4', 'perhaps', 'Write to [REDACTED:email].');
const codes = fc.constantFrom('AGENT_TIMEOUT', 'AGENT_ERROR', 'LLM_SERVICE_DOWN');
const agent = fc.constantFrom(...AGENT_IDS);
const call = fc.nat({ max: 4 });

/** Generates inputs that the query waits for, mixed with late and unrelated ones. */
const heard: fc.Arbitrary<(state: JobState) => JobCommand> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(text, score, votes, fc.option(codes), ballot)
      .map(([said, sure, cast, code, last]) => (state: JobState): JobCommand => {
        const step = state.query === undefined ? { step: 'end' as const } : nextStep(state.query);
        switch (step.step) {
          case 'agent':
            return code === null
              ? answered(step.agent_id, step.call, said, { confidence: sure })
              : failed(step.agent_id, step.call, code);
          case 'council':
            return voted(step.round, ...cast);
          case 'verification':
            return verified(step.round, code === null ? vote('verifier', ...last) : null);
          case 'confirmation':
            return met({ done: 'remembered', superseded: false, sem_event_number: 0 });
          case 'end':
            return end;
        }
      }),
  },
  {
    weight: 3,
    arbitrary: fc
      .oneof(
        fc.tuple(agent, call, text).map(([of, at, said]) => answered(of, at, said)),
        fc.tuple(agent, call, codes).map(([of, at, code]) => failed(of, at, code)),
        fc.tuple(call, votes).map(([round, cast]) => voted(round, ...cast)),
        fc.constant(end),
      )
      .map((command) => () => command),
  },
);

const questions = fc.constantFrom(
  'What is 2 + 2?',
  'What is my name?',
  'What is my hobby?',
  'What do you know about me?',
  'Write a poem',
  'Do something weird',
  'What I said two turns ago',
);

const begun = fc
  .record({
    question: questions,
    constants: fc.record({
      max_repair_loops: fc.integer({ min: 1, max: 3 }),
      auto_tie_break: fc.boolean(),
      min_confidence: score,
      router_toggles: fc.record({ fallback: fc.boolean() }),
    }),
    confirms: fc.boolean(),
  })
  .map(({ question, constants, confirms }) =>
    asked(question, {
      constants,
      confirmation: confirms ? proposalOf('user/profile/user_tuff/name', 'Ada') : null,
    }),
  );

/** Generates the commands of a query. */
const runs = fc.tuple(begun, fc.array(heard, { maxLength: 24 })).map(([first, voices]) => {
  const commands = [...first];
  let state = first.reduce(taken, jobDecider.initialState(STREAM));
  for (const voice of voices) {
    const command = voice(state);
    commands.push(command);
    state = taken(state, command);
  }
  return { commands, state };
});

function taken(state: JobState, command: JobCommand): JobState {
  try {
    const after = fold(jobDecider, state, jobDecider.decide(command, state));
    return fold(jobDecider, after, jobDecider.owed?.(after) ?? []);
  } catch {
    return state;
  }
}

test('A2 X1 any recorded query replays identically from its recorded inputs alone', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ commands }) => {
      const log = recorded(jobDecider, STREAM, commands);
      const report = await replayStream(jobDecider, STREAM, log, 'strict');
      expect([report.divergence, report.identical]).toStrictEqual([report.divergence, true]);
    }),
    { numRuns: tries(300) },
  );
});

test('A2 a failed agent is not called again, and no agent is called more often than the repairs allow', () => {
  fc.assert(
    fc.property(runs, ({ state }) => {
      const { query } = state;
      ensure(query);
      const failing = query.failures.map(({ agent_id }) => agent_id);
      expect(new Set(failing).size).toBe(failing.length);
      const calls = query.answers.length + query.failures.length;
      const most = (state.started?.constants.max_repair_loops ?? 0) + 1 + failing.length;
      expect(calls).toBeLessThanOrEqual(most);
    }),
    { numRuns: tries(300) },
  );
});

test('A4 every query has one conclusion, which is either an answer or a failure', () => {
  fc.assert(
    fc.property(begun, fc.infiniteStream(heard), (first, voices) => {
      let state = first.reduce(taken, jobDecider.initialState(STREAM));
      for (const voice of voices.take(500)) {
        if (state.status !== 'running') break;
        state = taken(state, voice(state));
      }
      expect(state.status).toBe('ended');
      const { conclusion } = state.query ?? {};
      ensure(conclusion);
      expect(conclusion.answer === null).toBe(conclusion.failure !== null);
    }),
    { numRuns: tries(200) },
  );
});
