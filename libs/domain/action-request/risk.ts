import { parseKey } from '../canonical-key/canonical-key.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import { type Held, isSealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import type { ActionRequested } from './events.js';
import { type Risk, riskFrom, type RiskReason } from './risk-reasons.js';

/** What the other recorded facts say about a request. */
export interface RequestSurroundings {
  /** The present value of the key; null if it has none. */
  readonly presentFact: Held | null;
  /** The areas of the proposer's executed requests; `''` for a request without a target. */
  readonly executedAreas: ReadonlySet<string>;
  /** True if an executor wrote one of the episodes that the request cites. */
  readonly citesExecutor: boolean;
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

/** The scope and the entity type of a key, which the usual targets of a proposer share. */
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
const TOOL_WORDS: ReadonlySet<Json | undefined> = new Set([
  'tool',
  'tool_output',
  'tool_result',
  'executor',
]);

/** True if an entry of the evidence names the result of a tool. */
export const namesToolResult = (entry: JsonObject): boolean =>
  TOOL_FIELDS.some((field) => Object.hasOwn(entry, field)) ||
  ['type', 'kind', 'source', 'role'].some((field) => TOOL_WORDS.has(entry[field]));
