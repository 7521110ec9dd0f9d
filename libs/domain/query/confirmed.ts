import { parseKey } from '../canonical-key/canonical-key.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import type { Json } from '../json.js';

/** A key's attribute in the words of an answer. */
export const spokenAttribute = (key: string): string =>
  parseKey(key).attribute.replaceAll('_', ' ').trim();

/** A fact's value in the words of an answer. */
export const spokenValue = (value: Json): string =>
  typeof value === 'string' ? value : canonicalJson(value);
