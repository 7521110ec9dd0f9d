import { expect, test } from '@jest/globals';
import { judge, type Deliberation, type Judgement } from '#domain/council/judge.js';
import { DEFAULT_CONSTANTS } from '#domain/job/constants.js';
import type { JobConstants } from '#domain/job/events.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import { ensure } from '#test/support/ensure.js';

const vote = (
  member: string,
  approve: boolean,
  score = approve ? 0.9 : 0.2,
  suggested_changes = '',
): CouncilVote => ({
  council_agent_id: member,
  scores: { factuality: score, coherence: score, safety: score },
  approve,
  suggested_changes,
  note: '',
});

const judged = (
  votes: readonly CouncilVote[],
  constants: Partial<JobConstants> = {},
  more: Partial<Deliberation> = {},
): Judgement =>
  judge(
    { votes, answer_confidence: 1, repair_loops: 0, ...more },
    { ...DEFAULT_CONSTANTS, ...constants },
  );

test('the confidence of an approved answer is the weighted mean of the mean scores', () => {
  const votes = [vote('a', true, 0.9), vote('b', true, 0.6)];
  const plain = judged(votes);
  expect(plain).toStrictEqual({
    outcome: 'approved',
    score: 0.75,
    confidence: 0.75,
    low_confidence: false,
    decided_by: 'council',
  });
  expect(judged(votes, { council_weights: { a: 3 } }).score).toBe(0.825);
  const uneven = { ...vote('a', true), scores: { factuality: 0.5, coherence: 0.9, safety: 1 } };
  expect(judged([uneven]).score).toBe(0.8);
});

test('an answer’s confidence is at most that of its agent; below min_confidence the answer is flagged', () => {
  const votes = [vote('a', true, 0.9)];
  const unsure = judged(votes, {}, { answer_confidence: 0.4 });
  ensure(unsure.outcome === 'approved');
  expect([unsure.confidence, unsure.low_confidence]).toStrictEqual([0.4, true]);
  const enough = judged(votes, {}, { answer_confidence: 0.5 });
  ensure(enough.outcome === 'approved' && !enough.low_confidence);
  const strict = judged(votes, { min_confidence: 0.95 }, { answer_confidence: 1 });
  ensure(strict.outcome === 'approved' && strict.low_confidence);
});

test('if more weight is against an answer than for it, a repair is requested with the suggestions of the rejecting members', () => {
  const votes = [
    vote('c', false, 0.2, 'Shorten the intro'),
    vote('a', true, 1, 'Ignored'),
    vote('b', false, 0.2, 'Cite the fact'),
    vote('d', false, 0.2, 'Shorten the intro'),
    vote('e', false, 0.2, '  '),
  ];
  expect(judged(votes)).toStrictEqual({
    outcome: 'repair',
    score: 0.36,
    suggested_changes: ['Cite the fact', 'Shorten the intro'],
  });
});

test('002-T19 [stage0] [golden] [high] a query ends with REPAIR_LIMIT_EXCEEDED if its answer is still rejected after max_repair_loops repairs', () => {
  const votes = [vote('a', false, 0.2, 'Try again')];
  const outcomes = [0, 1, 2, 3].map(
    (repair_loops) => judged(votes, { max_repair_loops: 3 }, { repair_loops }).outcome,
  );
  expect(outcomes).toStrictEqual(['repair', 'repair', 'repair', 'repair_limit']);
});

test('002-T27 [stage0] [golden] [medium] a tie, or a score below the threshold, is a deadlock', () => {
  const tie = judged([vote('a', true, 0.8), vote('b', false, 0.2)]);
  expect(tie).toStrictEqual({ outcome: 'deadlock', score: 0.5, reason: 'tied' });
  const weak = judged([vote('a', true, 0.5), vote('b', true, 0.6)]);
  expect(weak).toStrictEqual({ outcome: 'deadlock', score: 0.55, reason: 'below_threshold' });
  // A score equal to the threshold is enough.
  expect(judged([vote('a', true, 0.6)]).outcome).toBe('approved');
});

test('equal sums of weights are a tie, even if doubles round them differently', () => {
  const votes = [vote('a', true), vote('b', true), vote('c', false)];
  const constants = { council_weights: { a: 0.1, b: 0.2, c: 0.3 } };
  const judgement = judged(votes, constants);
  ensure(judgement.outcome === 'deadlock' && judgement.reason === 'tied');
});

test('002-T27 [stage0] [golden] [medium] with auto_tie_break, the vote of the most trusted member is the first tie-breaker', () => {
  const constants = { auto_tie_break: true, council_weights: { b: 2 } };
  const one = [vote('a', false), vote('b', true, 0.9), vote('c', false)];
  const approved = judged(one, constants);
  ensure(approved.outcome === 'approved' && approved.decided_by === 'most_trusted');
  // This is the score of the deciding member.
  expect(approved.score).toBe(0.9);
  const other = [vote('a', true), vote('b', false, 0.1, 'Name the source'), vote('c', true)];
  const rejected = judged(other, constants);
  ensure(rejected.outcome === 'repair');
  expect(rejected.suggested_changes).toStrictEqual(['Name the source']);
  const equals = judged([vote('b', false), vote('a', true)], { auto_tie_break: true });
  // Of equally trusted members, the member with the smallest id decides.
  expect(equals.outcome).toBe('approved');
});

test('002-T27 [stage0] [golden] [medium] if the most trusted member does not decide, a verification pass decides; if it does not approve, the vote is a deadlock', () => {
  const constants = { auto_tie_break: true };
  const votes = [vote('a', true, 0.4), vote('b', false, 0.2)];
  const first = judged(votes, constants);
  expect(first).toStrictEqual({ outcome: 'verify', score: 0.3, reason: 'tied' });
  const verified = (verification: CouncilVote | null) => judged(votes, constants, { verification });
  const sure = verified(vote('verification_agent', true, 0.8));
  ensure(sure.outcome === 'approved' && sure.decided_by === 'verification');
  expect(sure.confidence).toBe(0.8);
  const deadlock = { outcome: 'deadlock', score: 0.3, reason: 'tied' };
  // The verification agent approves, but with a score below the threshold.
  expect(verified(vote('verification_agent', true, 0.4))).toStrictEqual(deadlock);
  // The verification agent rejects.
  expect(verified(vote('verification_agent', false, 0.9))).toStrictEqual(deadlock);
  // No council member could run the verification.
  expect(verified(null)).toStrictEqual(deadlock);
});

test('a member with weight 0 has no influence; if all weights are 0, the vote is a deadlock', () => {
  const constants = { council_weights: { b: 0 } };
  const votes = [vote('a', true, 0.9), vote('b', false, 0, 'Ignored')];
  expect(judged(votes, constants).outcome).toBe('approved');
  const nobody = { outcome: 'deadlock', score: 0, reason: 'below_threshold' };
  expect(judged([])).toStrictEqual(nobody);
  expect(judged([vote('b', true)], constants)).toStrictEqual(nobody);
  expect(judged([], { auto_tie_break: true }).outcome).toBe('verify');
});

test('a rejection with a safety score of 0 is a veto that no majority can outvote', () => {
  const unsafe: CouncilVote = {
    ...vote('safety_check', false, 1, 'Leave out personal data.'),
    scores: { factuality: 1, coherence: 1, safety: 0 },
  };
  const votes = [vote('a', true, 1), vote('b', true, 1), unsafe];
  expect(judged(votes).outcome).toBe('repair');
  expect(judged(votes, {}, { repair_loops: 3 }).outcome).toBe('repair_limit');
  expect(judged(votes, { council_weights: { safety_check: 0 } }).outcome).toBe('approved');
});

test('a second vote of the same member is refused', () => {
  expect(() => judged([vote('a', true), vote('a', true)])).toThrow(RangeError);
});
