import { parseKey } from '../canonical-key/canonical-key.js';
import type { Json, JsonObject } from '../json.js';
import type { Verdict } from './finding.js';
import { scanJson } from './scan-json.js';

/** What a caller writes under a key. */
interface FactText {
  readonly value: Json;
  readonly notes?: string | null;
  readonly meta?: JsonObject | null;
}

/**
 * What the gate says of a fact: of its value, which its attribute names, of notes, meta and the parts of its
 * key (SPEC S7, P1). Paths begin with `value`, `notes`, `meta` or `key`; a part of the key is read as written
 * and with spaces for its underscores, which stand for what normalising took out.
 * @throws Refusal INVALID_INPUT if it is no canonical key.
 */
export function scanFact(key: string, { value, notes, meta }: FactText): Verdict {
  const { entity_type, entity_id, attribute } = parseKey(key);
  const parts = [entity_type, entity_id, attribute];
  const spaced = parts.map((part) => part.replaceAll('_', ' '));
  const rest = { key: [...parts, ...spaced], meta: meta ?? null, notes: notes ?? null };
  // `value` is a name that says nothing: the label, the attribute, speaks for what it holds.
  return scanJson({ ...rest, value }, attribute);
}
