import { parseKey } from '../canonical-key/canonical-key.js';
import type { Json, JsonObject } from '../json.js';
import type { Verdict } from './finding.js';
import type { RuleSet } from './rule-set.js';
import { finished, type Slices } from '../slices.js';
import { jsonScan } from './scan-json.js';

/** The parts of a fact that come from a caller. */
export interface FactText {
  readonly value: Json;
  readonly notes?: string | null;
  readonly meta?: JsonObject | null;
}

/**
 * Returns the gate's verdict on a fact: on its value (with its attribute as the field name), its notes,
 * its meta and the parts of its key (SPEC S7, P1). Paths begin with `value`, `notes`, `meta` or `key`.
 * Each part of the key is scanned as written and with spaces for underscores, because normalising may
 * have replaced spaces. @throws Refusal INVALID_INPUT if `key` is not a canonical key.
 */
export const scanFact = (key: string, fact: FactText, rules: RuleSet): Verdict =>
  finished(factScan(key, fact, rules));

/** The same as `scanFact`, in slices. */
export function factScan(
  key: string,
  { value, notes, meta }: FactText,
  rules: RuleSet,
): Slices<Verdict> {
  const { entity_type, entity_id, attribute } = parseKey(key);
  const parts = [entity_type, entity_id, attribute];
  const spaced = parts.map((part) => part.replaceAll('_', ' '));
  const rest = { key: [...parts, ...spaced], meta: meta ?? null, notes: notes ?? null };
  // `value` is too general for a field name, so the scan takes the attribute as the name.
  return jsonScan({ ...rest, value }, rules, attribute);
}
