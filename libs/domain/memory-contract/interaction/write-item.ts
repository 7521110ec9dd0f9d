import { authorityOf } from '../utterance/authority.js';
import { writeBorder } from '../trace/borders.js';
import { withMeta, type MemoryItem, type MemoryKind } from '../item.js';
import { phaseMeta } from '../phases/phases.js';
import { shownItem } from '../utterance/redaction.js';
import { expiresAt, retentionFor } from '../retention/retention.js';
import type { Phase } from '../state.js';
import { storeItem } from '../store/store-item.js';
import type { StoreDecision } from '../store-decision.js';
import type { Speaker, Utterance } from '../utterance/utterance.js';
import { checkWrite } from './write-check.js';

/** An item to write: an utterance, with fields that replace or extend those of the utterance. */
export interface Draft {
  readonly kind: MemoryKind;
  readonly source: Speaker;
  readonly said: Utterance;
  /** The text of the item, if it differs from the utterance's text. */
  readonly text?: string;
  readonly dedup_key?: string;
  readonly key?: string;
  readonly source_turn_ids?: readonly string[];
}

const optional = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: Value };

/** Makes the item of a draft, with the next id and tick of the store (SPEC M1). */
function newItem(decision: StoreDecision, draft: Draft, phase: Phase): MemoryItem {
  const { kind, source, said } = draft;
  const { space, owner } = decision.state;
  return {
    ...decision.next(kind),
    text: draft.text ?? said.text,
    source,
    importance: said.importance,
    scope: 'session',
    meta: {
      event_type: said.event_type,
      importance_reason: said.importance_reason,
      dedup_key: draft.dedup_key ?? said.dedup_key,
      ...authorityOf(source),
      space,
      owner,
      ...phaseMeta(phase),
      ...said.hint,
      ...optional('key', draft.key),
      ...optional('source_turn_ids', draft.source_turn_ids),
    },
  };
}

/**
 * Creates an item and checks the border, then stores or denies the item (SPEC M18). Returns null unless
 * the item was stored.
 */
export function writeItem(decision: StoreDecision, draft: Draft, phase: Phase): MemoryItem | null {
  const { policy } = decision;
  const item = newItem(decision, draft, phase);
  const { space } = item.meta;
  const isOpen = decision.checkBorder('write', writeBorder(space, policy), {
    from_space: space,
    to_space: space,
    subject_id: item.id,
    created_at: item.created_at,
  });
  if (!isOpen) return null;
  const { event_type, privacy, flagged } = draft.said;
  const verdict = checkWrite(
    { kind: item.kind, event_type, privacy, flagged, ...optional('fact_key', draft.key) },
    policy,
  );
  if (!verdict.allowed) {
    const { reason, tags } = verdict;
    decision.trace('memory_denied', { attempted: shownItem(item), reason, tags });
    return null;
  }
  const end = expiresAt(item, retentionFor(item, policy));
  return storeItem(decision, withMeta(item, { policy_tags: verdict.tags, ...end }));
}
