import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Json } from '#domain/json.js';
import type { FactRead } from '../agent.js';

/** A fact's value as it stands in a sentence: a string as it is, anything else as JSON. */
export const spokenValue = (value: Json): string =>
  typeof value === 'string' ? value : canonicalJson(value);

/** What a key's attribute is called in a sentence: words, not underscores (SPEC A1). */
export const spokenAttribute = (key: string): string =>
  parseKey(key).attribute.replaceAll('_', ' ');

/** A fact as an answer: about the user in a sentence, about the world as it was written down. */
export const spokenFact = ({ key, value }: FactRead): string =>
  parseKey(key).scope === 'user'
    ? `Your ${spokenAttribute(key)} is ${spokenValue(value)}.`
    : spokenValue(value);
