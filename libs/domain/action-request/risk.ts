import { parseKey } from '../canonical-key/canonical-key.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import { type Held, isSealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import type { ActionRequested } from './events.js';

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

export const RISK_REASON_CODES = Object.keys(RISK_REASONS) as readonly RiskReason[];

/** The reasons that have a level by themselves. */
export const reasonsOfLevel = (level: RiskLevel): readonly RiskReason[] =>
  RISK_REASON_CODES.filter((reason) => RISK_REASONS[reason] === level);

/** How careful the review of a request has to be, and why. */
export type Risk = { readonly level: RiskLevel; readonly reasons: readonly RiskReason[] };

/** What the other recorded facts say about a request. */
export interface RequestSurroundings {
  /** The present value of the key; null if it has none. */
  readonly presentFact: Held | null;
  /** The areas of the proposer's executed requests; `''` for a request without a target. */
  readonly executedAreas: ReadonlySet<string>;
  /** True if an executor wrote one of the episodes that the request cites. */
  readonly citesExecutor: boolean;
}

/** Returns the risk of these reasons: the highest level of one of them. */
export function riskFrom(reasons: Iterable<RiskReason>): Risk {
  const given = new Set(reasons);
  const ordered = RISK_REASON_CODES.filter((reason) => given.has(reason));
  const levels = ordered.map((reason) => RISK_LEVELS.indexOf(RISK_REASONS[reason]));
  return { level: RISK_LEVELS[Math.max(0, ...levels)] ?? 'low', reasons: ordered };
}

/** Returns how careful the review of a request has to be, from recorded facts alone (SPEC G9). */
export const riskOf = (request: ActionRequested, surroundings: RequestSurroundings): Risk =>
  riskFrom([
    ...ownReasons(request),
    ...(isSealed(request) ? (['personal_data'] as const) : []),
    ...reasonsAround(request, surroundings),
  ]);

/** Returns the reasons that the request's words alone give; a revision does not change them. */
export function ownReasons(request: ActionRequested): readonly RiskReason[] {
  const { kind, redactions = [], evidence } = request;
  const reasons: RiskReason[] = [];
  if (kind !== 'sem_put') reasons.push('governance');
  if (redactions.some(({ field }) => !/^value\b/.test(field))) reasons.push('personal_data');
  if (evidence.some(namesToolResult)) reasons.push('tool_evidence');
  if (evidence.length === 0) reasons.push('no_evidence');
  return reasons;
}

function reasonsAround(
  request: ActionRequested,
  { presentFact, executedAreas, citesExecutor }: RequestSurroundings,
): readonly RiskReason[] {
  const reasons: RiskReason[] = [];
  if (presentFact !== null && !isSameValue(presentFact, request)) reasons.push('contradiction');
  if (executedAreas.size === 0) reasons.push('first_time_proposer');
  else if (request.target_sem_key !== null && !executedAreas.has(areaOf(request.target_sem_key)))
    reasons.push('unusual_target');
  if (citesExecutor) reasons.push('tool_evidence');
  return reasons;
}

/** True if both values are in clear and equal. A sealed value cannot be compared, so it differs. */
export const isSameValue = (left: Held, right: Held): boolean =>
  !isSealed(left) && !isSealed(right) && canonicalJson(left.value) === canonicalJson(right.value);

/** The part of a key by which a proposer's usual targets are told: its scope and its entity type. */
export function areaOf(key: string | null): string {
  if (key === null) return '';
  const { scope, entity_type } = parseKey(key);
  return `${scope}/${entity_type}`;
}

/** Returns the ids of the episodes that a request is based on or cites, without duplicates. */
export function citedEpisodes({
  episodic_id,
  evidence,
}: Pick<ActionRequested, 'episodic_id' | 'evidence'>): readonly string[] {
  const cited = evidence.map((entry) => entry['episodic_id']);
  const ids = [episodic_id, ...cited].filter((id): id is string => typeof id === 'string');
  return [...new Set(ids)];
}

const TOOL_FIELDS = ['tool', 'tool_name', 'tool_call_id', 'tool_result', 'tool_output'] as const;
const TOOL_WORDS: ReadonlySet<Json | undefined> = new Set(['tool', 'tool_result', 'executor']);

/** True if an entry of the evidence names the result of a tool. */
export const namesToolResult = (entry: JsonObject): boolean =>
  TOOL_FIELDS.some((field) => Object.hasOwn(entry, field)) ||
  ['type', 'kind', 'source', 'role'].some((field) => TOOL_WORDS.has(entry[field]));
