import { parseKey } from '../canonical-key/canonical-key.js';
import type { Json } from '../json.js';

/** Returns the words of a value: the text itself, or the keys, texts, numbers and truth values of the JSON. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  const words: string[] = [];
  collect(value, words);
  return words.join(' ');
}

function collect(value: Json, words: string[]): void {
  if (value === null) return;
  if (typeof value !== 'object') words.push(String(value));
  else if (Array.isArray(value)) for (const one of value as readonly Json[]) collect(one, words);
  else
    for (const [key, one] of Object.entries(value)) {
      words.push(key);
      collect(one, words);
    }
}

/** Returns the key words of a fact: its key without the scope. */
export function keyWordsOf(key: string): string {
  const { entity_type, entity_id, attribute } = parseKey(key);
  return `${entity_type} ${entity_id.replace(/^user_/, '')} ${attribute}`;
}
