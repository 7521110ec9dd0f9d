import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge, type Deliberation } from '#domain/council/judge.js';
import { DEFAULT_CONSTANTS } from '#domain/job/constants.js';
import type { JobConstants } from '#domain/job/events.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';

const fraction = fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100);
const member = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const vote: fc.Arbitrary<CouncilVote> = fc.record({
  council_agent_id: member,
  scores: fc.record({ factuality: fraction, coherence: fraction, safety: fraction }),
  approve: fc.boolean(),
  suggested_changes: fc.constantFrom('', 'Shorten it', 'Cite it'),
  note: fc.constant(''),
});
const deliberation: fc.Arbitrary<Deliberation> = fc.record({
  votes: fc.uniqueArray(vote, { selector: (of) => of.council_agent_id, maxLength: 6 }),
  answer_confidence: fraction,
  repair_loops: fc.integer({ min: 0, max: 4 }),
  verification: fc.option(vote, { nil: null }),
});
const weight = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 50 }).map((of) => of / 10),
);
const constants: fc.Arbitrary<JobConstants> = fc
  .record({
    council_weights: fc.dictionary(member, weight),
    council_threshold: fraction,
    auto_tie_break: fc.boolean(),
    min_confidence: fraction,
    max_repair_loops: fc.integer({ min: 1, max: 4 }),
  })
  .map((chosen) => ({ ...DEFAULT_CONSTANTS, ...chosen }));

const weightIn = (of: JobConstants, { council_agent_id }: CouncilVote): number =>
  of.council_weights[council_agent_id] ?? 1;

test('the order in which votes arrive does not change the decision', () => {
  const shuffled = deliberation.chain((before) =>
    fc
      .shuffledSubarray([...before.votes], { minLength: before.votes.length })
      .map((votes) => ({ before, after: { ...before, votes } })),
  );
  fc.assert(
    fc.property(shuffled, constants, ({ before, after }, pinned) =>
      expect(judge(after, pinned)).toStrictEqual(judge(before, pinned)),
    ),
  );
});

test('a member with weight 0 does not change the decision', () => {
  fc.assert(
    fc.property(deliberation, constants, (before, pinned) => {
      const votes = before.votes.filter((of) => weightIn(pinned, of) > 0);
      expect(judge({ ...before, votes }, pinned)).toStrictEqual(judge(before, pinned));
    }),
  );
});

test('multiplying all weights by one factor does not change the decision', () => {
  fc.assert(
    fc.property(deliberation, constants, (given, pinned) => {
      const votes = given.votes.map((of) => [of.council_agent_id, weightIn(pinned, of)] as const);
      const scaled = (by: number): JobConstants => ({
        ...pinned,
        council_weights: Object.fromEntries(votes.map(([id, of]) => [id, of * by])),
      });
      expect(judge(given, scaled(4))).toStrictEqual(judge(given, scaled(1)));
    }),
  );
});

test('no answer is approved below the threshold, against a majority, or against a veto', () => {
  fc.assert(
    fc.property(deliberation, constants, (given, pinned) => {
      const judgement = judge(given, pinned);
      const voting = given.votes.filter((of) => weightIn(pinned, of) > 0);
      const side = (approve: boolean): number =>
        voting
          .filter((of) => of.approve === approve)
          .reduce((sum, of) => sum + weightIn(pinned, of), 0);
      if (judgement.outcome === 'approved') {
        expect(judgement.score).toBeGreaterThanOrEqual(pinned.council_threshold);
        expect(side(true)).toBeGreaterThanOrEqual(side(false) - 1e-6);
        expect(voting.every((of) => of.approve || of.scores.safety > 0)).toBe(true);
        expect(judgement.confidence).toBeLessThanOrEqual(judgement.score);
        expect(judgement.confidence).toBeLessThanOrEqual(given.answer_confidence);
      }
      expect(judgement.score).toBeGreaterThanOrEqual(0);
      expect(judgement.score).toBeLessThanOrEqual(1);
    }),
  );
});

test('a job stays within its repair limit, and requests at most one verification', () => {
  fc.assert(
    fc.property(deliberation, constants, (given, pinned) => {
      const { outcome } = judge(given, pinned);
      if (outcome === 'repair') expect(given.repair_loops).toBeLessThan(pinned.max_repair_loops);
      if (outcome === 'repair_limit')
        expect(given.repair_loops).toBeGreaterThanOrEqual(pinned.max_repair_loops);
      // The votes are counted as after a verification, so the outcome cannot be a further verification.
      expect(outcome).not.toBe('verify');
    }),
  );
});
