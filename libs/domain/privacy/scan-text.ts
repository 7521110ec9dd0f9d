import { base64Decoded, percentDecoded } from './encodings.js';
import { FEATURE, featuresOf } from './features.js';
import type { Finding, Unscannable, Verdict } from './finding.js';
import { FieldName } from './field-name.js';
import { hitsIn, resolveOverlaps, type Hit, type Scanned } from './recognise.js';
import type { RuleSet } from './rule-set.js';
import { finished, type Slices } from '../slices.js';
import { normalizedView, type TextView } from './text-view.js';

/** The maximum characters of a scanned text or value. A body has at most 1 MB (SPEC P2, F4). */
export const MAX_SCANNED = 1_048_576;
/** The maximum number of nested encodings that the scan decodes. A text with more is refused. */
const MAX_ENCODINGS = 3;

/** A text without any of these features cannot have findings, unless its field has a name. */
const SUSPICIOUS =
  FEATURE.at |
  FEATURE.digit |
  FEATURE.assignment |
  FEATURE.percent |
  FEATURE.base64_run |
  FEATURE.dash |
  FEATURE.five_dashes |
  FEATURE.beyond_ascii;

export const cannotScan = (reason: Unscannable, { version }: RuleSet): Verdict => ({
  outcome: 'cannot_scan',
  reason,
  rule_set_version: version,
});
export const verdictOf = (findings: readonly Finding[], rule_set_version: string): Verdict =>
  findings.length === 0
    ? { outcome: 'clear', rule_set_version }
    : { outcome: 'flagged', findings, rule_set_version };

function* decodedOf(view: TextView): Slices<TextView[]> {
  const decoded: TextView[] = [];
  for (const decode of [percentDecoded, base64Decoded]) {
    const inner = decode(view);
    if (inner !== undefined) decoded.push(yield* normalizedView(inner));
  }
  return decoded;
}

/** Returns the hits in a text, merged and in order, or the reason why the text cannot be scanned. */
export function* stringScan(text: string, scanned: Scanned): Slices<readonly Hit[] | Unscannable> {
  if (text.length > MAX_SCANNED) return 'too_large';
  const features = featuresOf(text);
  if (scanned.label.isEmpty && (features & SUSPICIOUS) === 0) return [];
  const hits: Hit[] = [];
  // The text, then the texts decoded from it, then the texts decoded from those.
  let layer = [yield* normalizedView({ text })];
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > MAX_ENCODINGS) return 'too_many_encodings';
    const inner: TextView[] = [];
    for (const view of layer) {
      const own = view.text === text ? features : featuresOf(view.text);
      for (const hit of yield* hitsIn(view, own, scanned)) hits.push(hit);
      for (const decoded of yield* decodedOf(view)) inner.push(decoded);
    }
    layer = inner;
  }
  return resolveOverlaps(hits);
}

/**
 * Scans a text for personal data and secrets (SPEC P1, P2). The same text always gets the same verdict.
 * @param label the name of the field that holds the text, such as `dob` or `phone_number`.
 */
export const scanText = (text: string, rules: RuleSet, label = ''): Verdict =>
  finished(textScan(text, rules, label));

/** The same as `scanText`, in slices. */
export function* textScan(text: string, rules: RuleSet, label = ''): Slices<Verdict> {
  const hits = yield* stringScan(text, { label: new FieldName(label), rules });
  if (typeof hits === 'string') return cannotScan(hits, rules);
  const findings = hits.map((hit) => findingOf(hit, { path: [], in_key: false }, rules));
  return verdictOf(findings, rules.version);
}

export const findingOf = (
  { type, category, start, end }: Hit,
  { path, in_key }: Pick<Finding, 'path' | 'in_key'>,
  { version }: RuleSet,
): Finding => ({
  type,
  category,
  path,
  in_key,
  span: [start, end],
  rule_set_version: version,
});
