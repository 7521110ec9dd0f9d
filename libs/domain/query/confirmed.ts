import { parseKey } from '../canonical-key/canonical-key.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import type { Json } from '../json.js';

/** A key's attribute as one says it. */
export const spokenAttribute = (key: string): string =>
  parseKey(key).attribute.replaceAll('_', ' ').trim();

/** A fact's value as one says it. */
export const spokenValue = (value: Json): string =>
  typeof value === 'string' ? value : canonicalJson(value);
