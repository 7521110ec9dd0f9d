import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Json } from '#domain/json.js';
import type { FactRead } from '../agent.js';

/** Formats a fact's value for a sentence: a string unchanged, any other value as JSON. */
export const spokenValue = (value: Json): string =>
  typeof value === 'string' ? value : canonicalJson(value);

/** Formats a key's attribute for a sentence: with spaces instead of underscores (SPEC A1). */
export const spokenAttribute = (key: string): string =>
  parseKey(key).attribute.replaceAll('_', ' ');

/** Formats a fact as an answer: a sentence for a fact about the user, the bare value for a fact about the world. */
export const spokenFact = ({ key, value }: FactRead): string =>
  parseKey(key).scope === 'user'
    ? `Your ${spokenAttribute(key)} is ${spokenValue(value)}.`
    : spokenValue(value);
