import { dedupKey } from '../utterance/authority.js';
import { importanceOf } from '../utterance/importance.js';
import type { ItemMeta, MemoryItem, PhaseMeta } from '../item.js';
import { cut, folded } from '../utterance/text.js';

const QUOTED_ITEMS = 6;
const MAX_QUOTE = 80;
const MAX_SUMMARY = 240;

export const isSummary = ({ meta }: MemoryItem): boolean => meta.summary_of !== undefined;

/** Returns the turns of a phase that no longer fit its window, oldest first (SPEC M11). */
export const evicted = (turns: readonly MemoryItem[], maxTurns: number): readonly MemoryItem[] =>
  maxTurns > 0 ? turns.slice(0, Math.max(0, turns.length - maxTurns)) : [];

function summaryText(turns: readonly MemoryItem[], prior: MemoryItem | undefined): string {
  const quotes = turns
    .slice(0, QUOTED_ITEMS)
    .map(({ source, text }) => `${source}: ${cut(folded(text), MAX_QUOTE)}`);
  const earlier = prior === undefined ? [] : [`Earlier: ${cut(prior.text, MAX_QUOTE)}`];
  return cut([...earlier, ...quotes].join(' | '), MAX_SUMMARY);
}

/** Makes the item that summarises the prior summary and the turns that left the window (SPEC M11). */
export function summaryOf(
  turns: readonly MemoryItem[],
  prior: MemoryItem | undefined,
  place: Pick<MemoryItem, 'id' | 'created_at'> & {
    /** The space, the owner and the phase of the summary. */
    readonly meta: Pick<ItemMeta, 'space' | 'owner'> & PhaseMeta;
  },
): MemoryItem {
  const text = summaryText(turns, prior);
  const { importance, importance_reason } = importanceOf('context', text, 'system');
  return {
    id: place.id,
    kind: 'short_term',
    text,
    source: 'system',
    created_at: place.created_at,
    importance,
    scope: 'session',
    meta: {
      event_type: 'context',
      importance_reason: [...importance_reason, 'summary'],
      dedup_key: dedupKey('context', text),
      authority: 'system_imposed',
      authority_reason: 'summary',
      ...place.meta,
      summary_of: [...(prior?.meta.summary_of ?? []), ...turns.map(({ id }) => id)],
    },
  };
}
