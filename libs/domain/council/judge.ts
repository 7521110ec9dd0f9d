import type { JobConstants } from '../job/events.js';
import type { CouncilVote } from '../reflective-log/fields.js';
import { mostTrusted, scoreOf, voteScore, weighed, weightsFor, type WeighedVote } from './weigh.js';

/** The job constants that the council uses (SPEC J1, A3). A member without a weight has weight 1. */
type CouncilConstants = Pick<
  JobConstants,
  'council_weights' | 'council_threshold' | 'auto_tie_break' | 'min_confidence' | 'max_repair_loops'
>;

/** The data of one council round, all of it recorded as input (SPEC A2, I2). */
export interface Deliberation {
  /** At most one vote per member, in any order. A member that failed has no vote. */
  readonly votes: readonly CouncilVote[];
  /** The agent's own confidence, 0..1. */
  readonly answer_confidence: number;
  /** The number of repairs before this answer; 0 for the first answer. */
  readonly repair_loops: number;
  /** The vote of the verification that a judgement `verify` asked for; null if the verification failed. */
  readonly verification?: CouncilVote | null;
}

type Undecided = 'tied' | 'below_threshold';

/** The decision on an answer; `score` is the council's score, 0..1 with six decimals. */
export type Judgement =
  | {
      readonly outcome: 'approved';
      readonly score: number;
      /** The smaller of the agent's confidence and the council's score. */
      readonly confidence: number;
      /** True if the confidence is below min_confidence (LOW_CONFIDENCE). */
      readonly low_confidence: boolean;
      readonly decided_by: 'council' | 'most_trusted' | 'verification';
    }
  /**
   * The agent must repair its answer. The changes are those of the rejecting members, in order of member
   * ids, without repeats.
   */
  | {
      readonly outcome: 'repair';
      readonly score: number;
      readonly suggested_changes: readonly string[];
    }
  /** auto_tie_break is on: the caller must run one verification, then judge again with its vote (SPEC G5). */
  | { readonly outcome: 'verify'; readonly score: number; readonly reason: Undecided }
  | { readonly outcome: 'deadlock'; readonly score: number; readonly reason: Undecided }
  | {
      readonly outcome: 'repair_limit';
      readonly score: number;
      readonly suggested_changes: readonly string[];
    };

/**
 * Judges an answer by its votes, in any order (SPEC A3, G5). If the weight against the answer is greater than the
 * weight for it, or if there is a veto, the agent must repair the answer, up to max_repair_loops times. Equal weight
 * is a tie. If the weight for the answer is greater, the score must still reach the threshold. A tie or a score below
 * the threshold goes to the tie-break if auto_tie_break is on; otherwise the outcome is a deadlock. A rejection with
 * safety 0 is a veto, because a majority must not outvote the privacy gate. Members of weight 0 do not count; without
 * any weighted vote the answer is below the threshold. @throws RangeError if a member voted twice.
 */
export function judge(deliberation: Deliberation, constants: CouncilConstants): Judgement {
  const votes = weighed(deliberation.votes, constants.council_weights);
  const score = scoreOf(votes);
  const balance = weightsFor(votes);
  if (balance === 'against' || votes.some(({ vote }) => isVeto(vote)))
    return rejected(votes, score, deliberation, constants);
  if (balance === 'for' && score >= constants.council_threshold)
    return approved(score, 'council', deliberation, constants);
  const reason = balance === 'tied' ? 'tied' : 'below_threshold';
  if (!constants.auto_tie_break) return { outcome: 'deadlock', score, reason };
  return tieBroken(votes, score, reason, deliberation, constants);
}

const isVeto = ({ approve, scores }: CouncilVote): boolean => !approve && scores.safety === 0;

const approvesAtThreshold = (vote: CouncilVote, { council_threshold }: CouncilConstants): boolean =>
  vote.approve && voteScore(vote) >= council_threshold;

/**
 * Breaks a tie: first by the vote of the most trusted member, then by one verification. If neither
 * breaks the tie, the outcome is a deadlock (SPEC G5).
 */
function tieBroken(
  votes: readonly WeighedVote[],
  score: number,
  reason: Undecided,
  deliberation: Deliberation,
  constants: CouncilConstants,
): Judgement {
  const trusted = mostTrusted(votes);
  if (trusted && !trusted.approve) return rejected(votes, score, deliberation, constants);
  if (trusted && approvesAtThreshold(trusted, constants))
    return approved(voteScore(trusted), 'most_trusted', deliberation, constants);
  const { verification } = deliberation;
  if (verification === undefined) return { outcome: 'verify', score, reason };
  if (verification === null || !approvesAtThreshold(verification, constants))
    return { outcome: 'deadlock', score, reason };
  return approved(voteScore(verification), 'verification', deliberation, constants);
}

function approved(
  score: number,
  decided_by: (Judgement & { outcome: 'approved' })['decided_by'],
  { answer_confidence }: Deliberation,
  { min_confidence }: CouncilConstants,
): Judgement {
  const confidence = Math.min(score, answer_confidence);
  const low_confidence = confidence < min_confidence;
  return { outcome: 'approved', score, confidence, low_confidence, decided_by };
}

function rejected(
  votes: readonly WeighedVote[],
  score: number,
  { repair_loops }: Deliberation,
  { max_repair_loops }: CouncilConstants,
): Judgement {
  const changes = votes
    .filter(({ vote }) => !vote.approve)
    .map(({ vote }) => vote.suggested_changes.trim());
  const suggested_changes = [...new Set(changes)].filter((change) => change !== '');
  const outcome = repair_loops < max_repair_loops ? 'repair' : 'repair_limit';
  return { outcome, score, suggested_changes };
}
