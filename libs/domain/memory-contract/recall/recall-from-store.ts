import { byteOrder } from '../../determinism/ids.js';
import type { AskedQuery, RecalledItems } from '../events.js';
import { withMeta, type MemoryItem, type MemoryKind } from '../item.js';
import { heldAs } from '../store/ledger.js';
import type { StoredList } from '../store/stored-list.js';
import {
  PROFILE_LIMIT,
  SEMANTIC_TOP_K,
  type MemorySettings,
  type PolicySnapshot,
} from '../policy.js';
import { holdsSecretWord } from '../utterance/redaction.js';
import { canExpire, expiry, ruleFor } from '../retention/retention.js';
import { mostRelevant, relevanceOf } from './relevance.js';
import { bestOf, matcherOf, type RecallView } from './semantic-score.js';
import type { StoreState } from '../state.js';
import { windowOf } from '../short-term/summarize.js';

/** Returns the phases that a recall sees: the current one, then earlier ones if the policy allows them (SPEC M14). */
function visiblePhases({ phases }: StoreState, { phase }: PolicySnapshot): readonly string[] {
  const ids = phases.map(({ phase_id }) => phase_id).reverse();
  return phase.allow_cross_phase_recall ? ids : ids.slice(0, 1);
}

function countsOf(items: readonly MemoryItem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { meta } of items) counts[meta.phase_id] = (counts[meta.phase_id] ?? 0) + 1;
  return counts;
}

/** A recalled item and the reasons for its recall; a semantic item also has its score. */
interface RecalledItem {
  readonly item: MemoryItem;
  readonly reasons: readonly string[];
  readonly score?: number;
}

function shortTerm(
  state: StoreState,
  phases: readonly string[],
  maxTurns: number,
  { isExpired }: RecallView,
): readonly RecalledItem[] {
  if (maxTurns === 0) return [];
  return phases.flatMap((phaseId): RecalledItem[] => {
    const { turns, summary } = windowOf(state, phaseId, (stored) => !isExpired(stored));
    return [
      ...(summary === undefined ? [] : [{ item: summary, reasons: ['active_rule'] }]),
      ...turns.slice(-maxTurns).map((item) => ({ item, reasons: ['recency'] })),
    ];
  });
}

/**
 * Returns the view that decides which items of a kind a recall sees: the items of `phases` that have not
 * expired at tick `now`.
 */
function sightOf(
  { space }: StoreState,
  kind: MemoryKind,
  policy: PolicySnapshot,
  phases: readonly string[],
  now: number,
): RecallView {
  const places = new Map(phases.map((id, place) => [id, place]));
  const canKindExpire = canExpire(space, kind, policy);
  return {
    rank: (phaseId) => places.get(phaseId) ?? -1,
    isExpired: (stored) =>
      canKindExpire && expiry(stored.item, ruleFor(space, policy, stored), now) !== null,
  };
}

/** Returns the best semantic items, by the ranking of the policy (SPEC M17, Q6). */
const semantic = (
  { space, ledger }: StoreState,
  query: AskedQuery,
  sight: RecallView,
  { ranking }: PolicySnapshot,
): readonly RecalledItem[] => {
  const items = ledger.items.semantic;
  if (ranking === undefined) return bestOf(items, query, sight, SEMANTIC_TOP_K);
  return mostRelevant([...items], query, sight, SEMANTIC_TOP_K, { space, ranking });
};

const profile = (items: StoredList, { rank, isExpired }: RecallView): readonly RecalledItem[] =>
  [...items]
    .filter((stored) => rank(stored.item.meta.phase_id) >= 0 && !isExpired(stored))
    .map(({ item }) => item)
    .sort(
      (left, right) =>
        rank(left.meta.phase_id) - rank(right.meta.phase_id) ||
        left.created_at - right.created_at ||
        byteOrder(left.id, right.id),
    )
    .slice(0, PROFILE_LIMIT)
    .map((item) => ({ item, reasons: ['active_rule'] }));

/** True if a retention rule other than `never` applies to an item (SPEC M10, M16). */
function isKeptByRule({ space, ledger }: StoreState, policy: PolicySnapshot, id: string): boolean {
  const held = heldAs(ledger, id);
  return held !== undefined && ruleFor(space, policy, held).mode !== 'never';
}

/**
 * Returns the items of one store for a recall, with the meta of the answer (SPEC M16). Items that have
 * expired at tick `now` are left out, even if they are not deleted yet.
 */
export function recallFromStore(
  state: StoreState,
  query: AskedQuery,
  settings: MemorySettings,
  policy: PolicySnapshot,
  now: number = state.tick,
): RecalledItems {
  const phases = visiblePhases(state, policy);
  const { items } = state.ledger;
  const sight = (kind: MemoryKind) => sightOf(state, kind, policy, phases, now);
  const answered = ({ item, reasons, score }: RecalledItem): MemoryItem => {
    const recall_reason = [...reasons, `space:${state.space}`];
    const scored = score === undefined ? {} : { score };
    const tags = [...(item.meta.policy_tags ?? []), 'kept_by:retention_rule'];
    const kept = isKeptByRule(state, policy, item.id) ? { policy_tags: tags } : {};
    return withMeta(item, { recall_reason, ...scored, ...kept });
  };
  const scored = settings.semantic ? semantic(state, query, sight('semantic'), policy) : [];
  const short_term = shortTerm(state, phases, settings.short_term, sight('short_term')).map(
    answered,
  );
  const relevant = scored.map(answered);
  return {
    short_term,
    semantic: relevant,
    profile: settings.profile ? profile(items.profile, sight('profile')).map(answered) : [],
    phase_counts: phases.length === 0 ? null : countsOf([...short_term, ...relevant]),
  };
}

/** The result of a recall from a space in which nothing was ever written. */
export const NOTHING_RECALLED: RecalledItems = {
  short_term: [],
  semantic: [],
  profile: [],
  phase_counts: null,
};

/**
 * Returns a query in the form that an event may record. If the detector flagged the query, or if a trace
 * would hide its text, the event records only which semantic items of this store match the query.
 */
export function askedQuery(
  { ledger, space }: StoreState,
  query: string,
  flagged: boolean,
  { ranking }: Pick<PolicySnapshot, 'ranking'> = {},
): AskedQuery {
  if (!flagged && !holdsSecretWord(query)) return { text: query };
  if (ranking !== undefined) {
    const items = [...ledger.items.semantic].map(({ item }) => item);
    return { matches: Object.fromEntries(relevanceOf(items, space, query, ranking)) };
  }
  const matcher = matcherOf({ text: query });
  const matches = [...ledger.items.semantic].flatMap(({ item }) => {
    const points = matcher.points(item);
    return points === 0 ? [] : [[item.id, points] as const];
  });
  return { matches: Object.fromEntries(matches) };
}
