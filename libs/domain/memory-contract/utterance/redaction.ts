import type { MemoryItem } from '../item.js';
import { cut, folded } from './text.js';

export const REDACTED = '(redacted)';

const SECRET_WORDS = ['key', 'secret', 'token', 'password', 'authorization'];
const MAX_SHOWN = 200;

/** True if a text contains a secret word. Traces hide every text that contains such a word (SPEC M18). */
export function holdsSecretWord(text: string): boolean {
  const lowered = text.toLowerCase();
  return SECRET_WORDS.some((word) => lowered.includes(word));
}

/** Returns a text as a trace shows it (SPEC M18, P3). */
export const shownText = (text: string, flagged = false): string =>
  flagged || holdsSecretWord(text) ? REDACTED : cut(folded(text), MAX_SHOWN, '... (truncated)');

/** Returns a dedup key with the part after its type redacted: `preference:(redacted)`. */
export const hiddenKey = (key: string): string =>
  `${key.slice(0, key.indexOf(':') + 1)}${REDACTED}`;

/** Returns an item's dedup key as a trace shows it (SPEC M18). */
export const shownKey = ({ text, meta }: MemoryItem): string =>
  text === REDACTED || holdsSecretWord(text) ? hiddenKey(meta.dedup_key) : meta.dedup_key;

/** Returns the dedup key that two items share, hidden if a trace hides it for one of them (SPEC M18). */
export const sharedKey = (left: MemoryItem, right: MemoryItem): string =>
  shownKey(left) === left.meta.dedup_key ? shownKey(right) : shownKey(left);

/** Returns an item as a trace shows it. If nothing is hidden or shortened, it is the same object (SPEC M18). */
export function shownItem(item: MemoryItem): MemoryItem {
  const text = shownText(item.text);
  const dedup_key = shownKey(item);
  if (text === item.text && dedup_key === item.meta.dedup_key) return item;
  return { ...item, text, meta: { ...item.meta, dedup_key } };
}
