import type { MemoryItem } from '#domain/memory-contract/item.js';
import { normalText } from '#domain/memory-contract/utterance/text.js';

/**
 * Makes the semantic item that the text `I prefer tea` creates in session `s`. The given fields become
 * the meta of the item, except the fields from `id` to `text`.
 */
export function semanticItem(
  changes: Partial<Pick<MemoryItem, 'id' | 'text' | 'created_at' | 'importance'>> &
    Partial<MemoryItem['meta']>,
): MemoryItem {
  const {
    id = 'session:s:semantic:1',
    text = 'I prefer tea',
    created_at = 1,
    importance = 4,
    ...meta
  } = changes;
  return {
    id,
    kind: 'semantic',
    text,
    source: 'user',
    created_at,
    importance,
    scope: 'session',
    meta: {
      event_type: 'preference',
      importance_reason: ['event:preference'],
      dedup_key: `preference:${normalText(text)}`,
      authority: 'user_asserted',
      authority_reason: 'source:user',
      space: 'session',
      owner: 's',
      phase_id: 'phase-1',
      phase_started_at: 1,
      phase_reason: 'auto',
      ...meta,
    },
  };
}
