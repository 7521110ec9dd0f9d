import { test } from 'node:test';
import assert from 'node:assert/strict';
import { judge, type Deliberation, type Judgement } from '#domain/council/judge.js';
import { DEFAULT_CONSTANTS } from '#domain/job/constants.js';
import type { JobConstants } from '#domain/job/events.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';

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

test('an answer that the council approves has the weighted mean of the mean scores', () => {
  const votes = [vote('a', true, 0.9), vote('b', true, 0.6)];
  const plain = judged(votes);
  assert.deepEqual(plain, {
    outcome: 'approved',
    score: 0.75,
    confidence: 0.75,
    low_confidence: false,
    decided_by: 'council',
  });
  assert.equal(judged(votes, { council_weights: { a: 3 } }).score, 0.825);
  const uneven = { ...vote('a', true), scores: { factuality: 0.5, coherence: 0.9, safety: 1 } };
  assert.equal(judged([uneven]).score, 0.8);
});

test('an answer is no surer than its agent, and below min_confidence it is flagged', () => {
  const votes = [vote('a', true, 0.9)];
  const unsure = judged(votes, {}, { answer_confidence: 0.4 });
  assert.ok(unsure.outcome === 'approved');
  assert.deepEqual([unsure.confidence, unsure.low_confidence], [0.4, true]);
  const enough = judged(votes, {}, { answer_confidence: 0.5 });
  assert.ok(enough.outcome === 'approved' && !enough.low_confidence);
  const strict = judged(votes, { min_confidence: 0.95 }, { answer_confidence: 1 });
  assert.ok(strict.outcome === 'approved' && strict.low_confidence);
});

test('more weight against than for an answer asks for a repair, with what the rejecting members would change', () => {
  const votes = [
    vote('c', false, 0.2, 'Shorten the intro'),
    vote('a', true, 1, 'Ignored'),
    vote('b', false, 0.2, 'Cite the fact'),
    vote('d', false, 0.2, 'Shorten the intro'),
    vote('e', false, 0.2, '  '),
  ];
  assert.deepEqual(judged(votes), {
    outcome: 'repair',
    score: 0.36,
    suggested_changes: ['Cite the fact', 'Shorten the intro'],
  });
});

test('002-T19 [stage0] [golden] an answer still rejected after max_repair_loops repairs has exceeded the limit', () => {
  const votes = [vote('a', false, 0.2, 'Try again')];
  const outcomes = [0, 1, 2, 3].map(
    (repair_loops) => judged(votes, { max_repair_loops: 3 }, { repair_loops }).outcome,
  );
  assert.deepEqual(outcomes, ['repair', 'repair', 'repair', 'repair_limit']);
});

test('002-T27 [stage0] [golden] a tie, or a score below the threshold, is a deadlock', () => {
  const tie = judged([vote('a', true, 0.8), vote('b', false, 0.2)]);
  assert.deepEqual(tie, { outcome: 'deadlock', score: 0.5, reason: 'tied' });
  const weak = judged([vote('a', true, 0.5), vote('b', true, 0.6)]);
  assert.deepEqual(weak, { outcome: 'deadlock', score: 0.55, reason: 'below_threshold' });
  assert.equal(judged([vote('a', true, 0.6)]).outcome, 'approved', 'at the threshold is enough');
});

test('weights that sum to the same tie, however doubles round them', () => {
  const votes = [vote('a', true), vote('b', true), vote('c', false)];
  const constants = { council_weights: { a: 0.1, b: 0.2, c: 0.3 } };
  const judgement = judged(votes, constants);
  assert.ok(judgement.outcome === 'deadlock' && judgement.reason === 'tied');
});

test('002-T27 [stage0] [golden] auto_tie_break asks the most trusted member first', () => {
  const constants = { auto_tie_break: true, council_weights: { b: 2 } };
  const one = [vote('a', false), vote('b', true, 0.9), vote('c', false)];
  const approved = judged(one, constants);
  assert.ok(approved.outcome === 'approved' && approved.decided_by === 'most_trusted');
  assert.equal(approved.score, 0.9, 'the score is the one that decided');
  const other = [vote('a', true), vote('b', false, 0.1, 'Name the source'), vote('c', true)];
  const rejected = judged(other, constants);
  assert.ok(rejected.outcome === 'repair');
  assert.deepEqual(rejected.suggested_changes, ['Name the source']);
  const equals = judged([vote('b', false), vote('a', true)], { auto_tie_break: true });
  assert.equal(equals.outcome, 'approved', 'among equals the id that sorts first');
});

test('002-T27 [stage0] [golden] where trust does not decide, one verification pass does, else it is a deadlock', () => {
  const constants = { auto_tie_break: true };
  const votes = [vote('a', true, 0.4), vote('b', false, 0.2)];
  const first = judged(votes, constants);
  assert.deepEqual(first, { outcome: 'verify', score: 0.3, reason: 'tied' });
  const verified = (verification: CouncilVote | null) => judged(votes, constants, { verification });
  const sure = verified(vote('verification_agent', true, 0.8));
  assert.ok(sure.outcome === 'approved' && sure.decided_by === 'verification');
  assert.equal(sure.confidence, 0.8);
  const deadlock = { outcome: 'deadlock', score: 0.3, reason: 'tied' };
  assert.deepEqual(verified(vote('verification_agent', true, 0.4)), deadlock, 'not convinced');
  assert.deepEqual(verified(vote('verification_agent', false, 0.9)), deadlock, 'rejected');
  assert.deepEqual(verified(null), deadlock, 'nobody could make the pass');
});

test('a member of weight 0 decides nothing, and without any weight there is no decision', () => {
  const constants = { council_weights: { b: 0 } };
  const votes = [vote('a', true, 0.9), vote('b', false, 0, 'Ignored')];
  assert.equal(judged(votes, constants).outcome, 'approved');
  const nobody = { outcome: 'deadlock', score: 0, reason: 'below_threshold' };
  assert.deepEqual(judged([]), nobody);
  assert.deepEqual(judged([vote('b', true)], constants), nobody);
  assert.equal(judged([], { auto_tie_break: true }).outcome, 'verify');
});

test('a rejection with safety 0 is a veto that no majority outvotes', () => {
  const unsafe: CouncilVote = {
    ...vote('safety_check', false, 1, 'Leave out personal data.'),
    scores: { factuality: 1, coherence: 1, safety: 0 },
  };
  const votes = [vote('a', true, 1), vote('b', true, 1), unsafe];
  assert.equal(judged(votes).outcome, 'repair');
  assert.equal(judged(votes, {}, { repair_loops: 3 }).outcome, 'repair_limit');
  assert.equal(judged(votes, { council_weights: { safety_check: 0 } }).outcome, 'approved');
});

test('a member that voted twice is refused', () => {
  assert.throws(() => judged([vote('a', true), vote('a', true)]), RangeError);
});
