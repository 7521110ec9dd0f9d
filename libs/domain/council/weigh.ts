import type { JobConstants } from '../job/events.js';
import type { CouncilVote } from '../reflective-log/fields.js';

export interface WeighedVote {
  readonly vote: CouncilVote;
  readonly weight: number;
}

const DEFAULT_WEIGHT = 1;
/**
 * Weights and scores are doubles, which round decimals. With this tolerance, 0.1 + 0.2 still ties with
 * 0.3.
 */
const TOLERANCE = 1e-9;
const SCORE_UNIT = 1e6;

const byId = (left: WeighedVote, right: WeighedVote): number =>
  left.vote.council_agent_id < right.vote.council_agent_id ? -1 : 1;

/**
 * The votes with a weight above 0, sorted by member id, so that their order of arrival does not matter.
 * @throws RangeError if a member voted twice.
 */
export function weighed(
  votes: readonly CouncilVote[],
  weights: JobConstants['council_weights'],
): readonly WeighedVote[] {
  if (new Set(votes.map((vote) => vote.council_agent_id)).size < votes.length)
    throw new RangeError('a council member has at most one vote per round');
  return votes
    .map((vote) => ({ vote, weight: weightOf(vote.council_agent_id, weights) }))
    .filter(({ weight }) => weight > 0)
    .sort(byId);
}

const weightOf = (member: string, weights: JobConstants['council_weights']): number =>
  Object.hasOwn(weights, member) ? (weights[member] ?? DEFAULT_WEIGHT) : DEFAULT_WEIGHT;

const rounded = (score: number): number => Math.round(score * SCORE_UNIT) / SCORE_UNIT;

const total = (votes: readonly WeighedVote[], of: (vote: WeighedVote) => number): number =>
  votes.reduce((sum, vote) => sum + of(vote), 0);

const mean = ({ scores }: CouncilVote): number =>
  (scores.factuality + scores.coherence + scores.safety) / 3;

/** One member's score: the mean of its three scores, 0..1 with six decimals. */
export const voteScore = (vote: CouncilVote): number => rounded(mean(vote));

/** The weighted mean of the members' mean scores, 0..1 with six decimals; 0 without weighted votes. */
export function scoreOf(votes: readonly WeighedVote[]): number {
  if (votes.length === 0) return 0;
  const weight = total(votes, (of) => of.weight);
  return rounded(total(votes, (of) => (of.weight / weight) * mean(of.vote)));
}

/** Returns the side with more weight. */
export function weightsFor(votes: readonly WeighedVote[]): 'for' | 'against' | 'tied' | 'nobody' {
  if (votes.length === 0) return 'nobody';
  const all = total(votes, ({ weight }) => weight);
  const difference = total(votes, ({ vote, weight }) => (vote.approve ? weight : -weight));
  if (Math.abs(difference) <= all * TOLERANCE) return 'tied';
  return difference > 0 ? 'for' : 'against';
}

/**
 * Returns the vote of the member with the highest weight; of equal members, the one with the smallest id
 * (SPEC G5).
 */
export const mostTrusted = (votes: readonly WeighedVote[]): CouncilVote | undefined =>
  votes.reduce<WeighedVote | undefined>(
    (best, next) => (best === undefined || next.weight > best.weight ? next : best),
    undefined,
  )?.vote;
