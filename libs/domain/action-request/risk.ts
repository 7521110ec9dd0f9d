import { parseKey } from '../canonical-key/canonical-key.js';
import {
  hasHiddenCharacters,
  quotesHiddenCharacters,
} from '../deceptive-text/hidden-characters.js';
import { hasMixedScripts } from '../deceptive-text/mixed-scripts.js';
import { givesOrders, quotesOrders } from '../deceptive-text/orders.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import { type Held, isSealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import type { ActionRequested } from './events.js';
import { imitatedWords } from './imitated-words.js';
import { Comparison, isEvidence } from './in-evidence.js';
import { textsOf } from './leaves.js';
import { isOldSource } from './old-source.js';
import type { RiskReason } from './risk-reasons.js';

/** What a request says, from its proposer and from the reviewer who revised its value. */
export type RequestWords = Held &
  Pick<
    ActionRequested,
    | ('kind' | 'target_sem_key' | 'justification' | 'evidence' | 'requested_at')
    | ('large_change' | 'unfound_evidence')
  > & {
    /** True if personal data was removed from the justification or the evidence. */
    readonly hasRemovedData: boolean;
  };

/** True if personal data was removed from the words around the value, which a revision does not change. */
export const hasRemovedData = ({ redactions = [] }: Pick<ActionRequested, 'redactions'>): boolean =>
  redactions.some(({ field }) => !/^value\b/.test(field));

/**
 * Returns the reasons of a request's risk that its own words give. The others follow from what else is recorded, and
 * change with it (projections/action-requests/risk-sql.ts).
 */
export function ownReasons(request: RequestWords): readonly RiskReason[] {
  const { kind, evidence, large_change = false, unfound_evidence } = request;
  return [
    ...deceptions(request),
    ...given(kind !== 'sem_put', 'governance'),
    ...given(request.hasRemovedData, 'personal_data'),
    ...given(large_change, 'large_change'),
    ...given(!isEvidence(evidence, unfound_evidence), 'no_evidence'),
    ...given(isFromOldSource(request), 'old_source'),
    ...support(request),
  ];
}

const given = (isSo: boolean, reason: RiskReason): readonly RiskReason[] => (isSo ? [reason] : []);

function deceptions(request: RequestWords): readonly RiskReason[] {
  const { justification, evidence } = request;
  const value = isSealed(request) ? [] : [...textsOf(request.value)];
  const said = [value, [justification]];
  const quoted = evidence.map((entry) => [...textsOf(entry)]);
  const texts = [...said, ...quoted];
  const isPlain = texts.every((group) => PLAIN.test(inOne(group)));
  const isHidden =
    !isPlain &&
    (said.some((group) => group.some(hasHiddenCharacters)) ||
      quoted.some((group) => group.some(quotesHiddenCharacters)));
  const isMixed =
    !isPlain &&
    (texts.some((group) => group.some(hasMixedScripts)) ||
      imitatedWords({ ...request, value: isSealed(request) ? undefined : request.value }).size > 0);
  const isOrder = said.some(givesOrders) || quoted.some(quotesOrders);
  return [
    ...given(isHidden, 'hidden_characters'),
    ...given(isMixed, 'mixed_scripts'),
    ...given(isOrder, 'addresses_reader'),
  ];
}

/** A text of plain ASCII, which deceives nobody by its letters. */
const PLAIN = /^[\t\n\r -~]*$/;

const inOne = (texts: readonly string[]): string => texts.join('\n');

const isFromOldSource = (request: RequestWords): boolean =>
  !isSealed(request) && isOldSource(request.value, request.evidence, request.requested_at);

/** Says whether the evidence contains the value, and whether that of a tool does. */
function support(request: RequestWords): readonly RiskReason[] {
  const { kind, target_sem_key, evidence } = request;
  if (kind !== 'sem_put' || target_sem_key === null || isSealed(request)) return [];
  const { attribute } = parseKey(target_sem_key);
  const comparison = new Comparison(request.value, attribute);
  const [ofTools, others] = [evidence.filter(namesToolResult), evidence.filter(isOfOther)];
  comparison.read(ofTools);
  const isOfTools = comparison.result() === true;
  comparison.read(others);
  const isSaid = comparison.result();
  if (isSaid === undefined) return [];
  return isSaid ? ['in_evidence', ...given(isOfTools, 'tool_evidence')] : ['not_in_evidence'];
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
const namesToolResult = (entry: JsonObject): boolean =>
  TOOL_FIELDS.some((field) => Object.hasOwn(entry, field)) ||
  ['type', 'kind', 'source', 'role'].some((field) => TOOL_WORDS.has(entry[field]));
const isOfOther = (entry: JsonObject): boolean => !namesToolResult(entry);
