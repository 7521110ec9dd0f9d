import { keysOf } from '../keys-of.js';

/** From the lowest to the highest, with the points from which a level holds. */
const LEVELS = { low: 0, medium: 2, high: 4 } as const;
export type RiskLevel = keyof typeof LEVELS;
export const RISK_LEVELS = keysOf(LEVELS);
export const MEDIUM_FROM = LEVELS.medium;
export const HIGH_FROM = LEVELS.high;

interface Weight {
  readonly points: number;
  /** What the reason says to a reviewer. */
  readonly words: string;
}

/**
 * Why a request needs care, the weightiest reason first. The points of a request are the sum of those of its reasons, but
 * nothing lowers them below those of a reason that makes the risk high by itself. The codes never change.
 */
export const RISK_REASONS = {
  hidden_characters: { points: 4, words: 'Has characters that cannot be seen' },
  mixed_scripts: { points: 4, words: 'Has letters that look like others' },
  addresses_reader: { points: 4, words: 'Gives orders to whoever reads it' },
  governance: { points: 4, words: 'Changes consent or erases data' },
  personal_data: { points: 4, words: 'Contains personal data' },
  large_change: { points: 3, words: 'Changes much of the value that stood before' },
  contradiction: { points: 2, words: 'Contradicts the present fact' },
  rival_request: { points: 2, words: 'Another waiting request has another value' },
  rejected_before: { points: 2, words: 'The council has rejected the same value before' },
  no_evidence: { points: 2, words: 'Cites no evidence' },
  not_in_evidence: { points: 2, words: 'The value is not in its evidence' },
  old_source: { points: 2, words: 'Its evidence speaks of earlier years' },
  first_time_proposer: { points: 1, words: 'Nothing of this proposer was approved yet' },
  unusual_target: { points: 1, words: 'A target that this proposer has not written before' },
  in_evidence: { points: 0, words: 'The value is in its evidence' },
  tool_evidence: { points: -1, words: 'The output of a tool has the value' },
} as const satisfies Readonly<Record<string, Weight>>;
export type RiskReason = keyof typeof RISK_REASONS;

export const RISK_REASON_CODES = keysOf(RISK_REASONS);

/** How careful the review of a request has to be, and why: the weightiest reason first. */
export type Risk = { readonly level: RiskLevel; readonly reasons: readonly RiskReason[] };
