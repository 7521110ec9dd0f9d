import { byteOrder } from '../determinism/ids.js';
import type { AskedQuery, RecalledItems } from './events.js';
import { withMeta, type MemoryItem } from './item.js';
import { heldAs, type StoredItem } from './ledger.js';
import {
  PROFILE_LIMIT,
  SEMANTIC_TOP_K,
  type MemorySettings,
  type PolicySnapshot,
} from './policy.js';
import { holdsSecretWord } from './redaction.js';
import { expiry, ruleFor } from './retention.js';
import { bestOf, matchOf, type Match } from './semantic-score.js';
import type { StoreState } from './state.js';
import { windowOf } from './summarize.js';

/** The phases that a recall sees: the current one, with its history downwards if the policy says so (SPEC M14). */
function visiblePhases({ phases }: StoreState, { phase }: PolicySnapshot): readonly string[] {
  const ids = phases.map(({ phase_id }) => phase_id).reverse();
  return phase.allow_cross_phase_recall ? ids : ids.slice(0, 1);
}

/** Counts the recalled items of each phase (SPEC M16). */
function countsOf(items: readonly MemoryItem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { meta } of items) counts[meta.phase_id] = (counts[meta.phase_id] ?? 0) + 1;
  return counts;
}

function shortTerm(state: StoreState, phases: readonly string[], maxTurns: number) {
  if (maxTurns === 0) return [];
  return phases.flatMap((phaseId) => {
    const { turns, summary } = windowOf(state, phaseId);
    return [
      ...(summary === undefined ? [] : [withMeta(summary, { recall_reason: ['active_rule'] })]),
      ...turns.slice(-maxTurns).map((turn) => withMeta(turn, { recall_reason: ['recency'] })),
    ];
  });
}

type Seen = (stored: StoredItem) => boolean;

function ofPhases(
  { ledger }: StoreState,
  kind: 'semantic' | 'profile',
  isSeen: Seen,
): readonly MemoryItem[] {
  const seen: MemoryItem[] = [];
  for (const stored of ledger.items[kind]) if (isSeen(stored)) seen.push(stored.item);
  return seen;
}

const profile = (
  state: StoreState,
  rank: (item: MemoryItem) => number,
  isSeen: Seen,
): readonly MemoryItem[] =>
  [...ofPhases(state, 'profile', isSeen)]
    .sort(
      (left, right) =>
        rank(left) - rank(right) ||
        left.created_at - right.created_at ||
        byteOrder(left.id, right.id),
    )
    .slice(0, PROFILE_LIMIT)
    .map((item) => withMeta(item, { recall_reason: ['active_rule'] }));

/** Whether a rule other than `never` has kept an item until now (SPEC M10, M16). */
function isKeptByRule({ space, ledger }: StoreState, policy: PolicySnapshot, id: string): boolean {
  const held = heldAs(ledger, id);
  return held !== undefined && ruleFor(space, policy, held).mode !== 'never';
}

/**
 * What one store has to give to a recall, as its items are answered (SPEC M16). What has expired at the tick
 * `now` is not, also where it waits to be forgotten.
 */
export function recallHere(
  state: StoreState,
  match: Match,
  settings: MemorySettings,
  policy: PolicySnapshot,
  now: number = state.tick,
): RecalledItems {
  const phases = visiblePhases(state, policy);
  const rank = ({ meta }: MemoryItem): number => phases.indexOf(meta.phase_id);
  const isSeen = (stored: StoredItem): boolean =>
    rank(stored.item) >= 0 &&
    expiry(stored.item, ruleFor(state.space, policy, stored), now) === null;
  const answered = (item: MemoryItem): MemoryItem => {
    const recall_reason = [...(item.meta.recall_reason ?? []), `space:${state.space}`];
    const tags = [...(item.meta.policy_tags ?? []), 'kept_by:retention_rule'];
    const kept = isKeptByRule(state, policy, item.id) ? { policy_tags: tags } : {};
    return withMeta(item, { recall_reason, ...kept });
  };
  const scored = settings.semantic
    ? bestOf(ofPhases(state, 'semantic', isSeen), match, rank, SEMANTIC_TOP_K)
    : [];
  const short_term = shortTerm(state, phases, settings.short_term).map(answered);
  const semantic = scored.map(({ item, score, reasons }) =>
    answered(withMeta(item, { recall_reason: reasons, score })),
  );
  return {
    short_term,
    semantic,
    profile: settings.profile ? profile(state, rank, isSeen).map(answered) : [],
    phase_counts: phases.length === 0 ? null : countsOf([...short_term, ...semantic]),
  };
}

/** What a recall finds in a space where nothing was ever written. */
export const NOTHING_RECALLED: RecalledItems = {
  short_term: [],
  semantic: [],
  profile: [],
  phase_counts: null,
};

/**
 * A query as it may be recorded. One that the detector flagged, or that a trace would hide, is not: only how
 * it matches what this store holds.
 */
export function askedQuery({ ledger }: StoreState, query: string, flagged: boolean): AskedQuery {
  if (!flagged && !holdsSecretWord(query)) return { text: query };
  const match = matchOf(query);
  const matches = ledger.items.semantic.flatMap(({ item }) => {
    const points = match(item);
    return points === 0 ? [] : [[item.id, points] as const];
  });
  return { matches: Object.fromEntries(matches) };
}

/** How a recorded query matches an item. */
export const recordedMatch = (query: AskedQuery): Match =>
  'text' in query ? matchOf(query.text) : (item) => query.matches[item.id] ?? 0;
