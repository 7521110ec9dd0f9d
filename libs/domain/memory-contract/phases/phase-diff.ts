import { byteOrder } from '../../determinism/ids.js';
import type { MemoryItem, MemoryKind } from '../item.js';
import { keyed, keyEntries } from '../../key-map.js';
import { allItems, heldItem, type Ledger } from '../store/ledger.js';
import { sharedKey } from '../utterance/redaction.js';

export type PhaseChange =
  | {
      readonly change: 'replaced';
      readonly dedupe_key: string;
      readonly from_id: string;
      readonly to_id: string;
      readonly from_kind: MemoryKind;
      readonly to_kind: MemoryKind;
    }
  | {
      readonly change: 'added' | 'deleted';
      readonly memory_id: string;
      readonly kind: MemoryKind;
    };

/** The differences between two phases (SPEC M15). */
export type PhaseDiff = {
  readonly added_count: number;
  readonly deleted_count: number;
  readonly replaced_count: number;
  /** At most 8 changes: first the replaced items, then the added ones, then the deleted ones. */
  readonly top_changes: readonly PhaseChange[];
  readonly summary_lines: readonly string[];
};

const MAX_TOP_CHANGES = 8;

interface Replacement {
  readonly key: string;
  readonly before: MemoryItem;
  readonly after: MemoryItem;
}

/** Returns, for each key that is in both ledgers with different items, these two items, in byte order of the keys. */
function replacements(from: Ledger, to: Ledger): readonly Replacement[] {
  return keyEntries(from.keys)
    .flatMap(([key, fromId]) => {
      const toId = keyed(to.keys, key);
      const before = heldItem(from, fromId);
      const after = toId === undefined || toId === fromId ? undefined : heldItem(to, toId);
      return before === undefined || after === undefined ? [] : [{ key, before, after }];
    })
    .sort((left, right) => byteOrder(left.key, right.key));
}

function onlyIn(
  ledger: Ledger,
  other: Ledger,
  replaced: ReadonlySet<string>,
): readonly MemoryItem[] {
  return allItems(ledger)
    .filter(({ id }) => heldItem(other, id) === undefined && !replaced.has(id))
    .sort((left, right) => byteOrder(left.id, right.id));
}

const diffOf = (
  replaced: readonly Replacement[],
  added: readonly MemoryItem[],
  deleted: readonly MemoryItem[],
): PhaseDiff => {
  const changes: readonly PhaseChange[] = [
    ...replaced.map(({ before, after }) => ({
      change: 'replaced' as const,
      dedupe_key: sharedKey(before, after),
      from_id: before.id,
      to_id: after.id,
      from_kind: before.kind,
      to_kind: after.kind,
    })),
    ...added.map(({ id, kind }) => ({ change: 'added' as const, memory_id: id, kind })),
    ...deleted.map(({ id, kind }) => ({ change: 'deleted' as const, memory_id: id, kind })),
  ];
  return {
    added_count: added.length,
    deleted_count: deleted.length,
    replaced_count: replaced.length,
    top_changes: changes.slice(0, MAX_TOP_CHANGES),
    summary_lines: [
      `Added ${added.length} items`,
      `Deleted ${deleted.length} items`,
      `Replaced ${replaced.length} items`,
    ],
  };
};

/** Returns the changes from one ledger to another (SPEC M15). If one of them is missing, the diff is empty. */
export function phaseDiff(from: Ledger | undefined, to: Ledger | undefined): PhaseDiff {
  if (from === undefined || to === undefined) return diffOf([], [], []);
  const replaced = replacements(from, to);
  const before = new Set(replaced.map((replacement) => replacement.before.id));
  const after = new Set(replaced.map((replacement) => replacement.after.id));
  return diffOf(replaced, onlyIn(to, from, after), onlyIn(from, to, before));
}
