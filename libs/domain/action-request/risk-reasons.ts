import { keysOf } from '../keys-of.js';
/** From the lowest to the highest. */
export const RISK_LEVELS = ['low', 'medium', 'high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Why a request needs care, with the level that each reason alone gives. The codes never change. */
export const RISK_REASONS = {
  /** The request is not about a fact, but about a consent or an erasure. */
  governance: 'high',
  /** The detector found personal data in the value, the justification or the evidence (SPEC P1). */
  personal_data: 'high',
  /** The key has another value now. */
  contradiction: 'high',
  /** No request of this proposer was executed yet. */
  first_time_proposer: 'medium',
  /** No request of this proposer for a key of this scope and entity type was executed yet. */
  unusual_target: 'medium',
  /** The evidence names the result of a tool, or an episode that an executor wrote. */
  tool_evidence: 'medium',
  no_evidence: 'medium',
} as const satisfies Readonly<Record<string, Exclude<RiskLevel, 'low'>>>;
export type RiskReason = keyof typeof RISK_REASONS;

export const RISK_REASON_CODES = keysOf(RISK_REASONS);

/** The reasons that have a level by themselves. */
export const reasonsOfLevel = (level: RiskLevel): readonly RiskReason[] =>
  RISK_REASON_CODES.filter((reason) => RISK_REASONS[reason] === level);

/** How careful the review of a request has to be, and why. */
export type Risk = { readonly level: RiskLevel; readonly reasons: readonly RiskReason[] };

/** Returns the risk of these reasons: the highest level of one of them. */
export function riskFrom(reasons: Iterable<RiskReason>): Risk {
  const given = new Set(reasons);
  const ordered = RISK_REASON_CODES.filter((reason) => given.has(reason));
  const levels = ordered.map((reason) => RISK_LEVELS.indexOf(RISK_REASONS[reason]));
  return { level: RISK_LEVELS[Math.max(0, ...levels)] ?? 'low', reasons: ordered };
}
