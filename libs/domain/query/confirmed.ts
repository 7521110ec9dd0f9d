import { parseKey } from '../canonical-key/canonical-key.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import type { Json } from '../json.js';

/** Returns the attribute of a key in the form in which an answer shows it. */
export const spokenAttribute = (key: string): string =>
  parseKey(key).attribute.replaceAll('_', ' ').trim();

/** Returns the value of a fact in the form in which an answer shows it. */
export const spokenValue = (value: Json): string =>
  typeof value === 'string' ? value : canonicalJson(value);
