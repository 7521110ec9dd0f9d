import { MAX_DEPTH } from '../determinism/canonical-json.js';
import type { Json, JsonObject } from '../json.js';
import type { LogRedaction } from '../reflective-log/fields.js';
import type { Finding, Verdict } from './finding.js';
import { finished, type Slices } from '../slices.js';
import { jsonRedaction, redact } from './redact.js';
import type { RuleSet } from './rule-set.js';
import { scanId } from './scan-id.js';
import { isList, jsonScan, sortedEntries } from './scan-json.js';
import { textScan } from './scan-text.js';
import { redactedText, REDACTION_REASON } from './withheld.js';

/** Makes an HMAC under a key of the service. The removed data cannot be guessed from the HMAC (SPEC P3). */
export type HashOfRedacted = (value: Json) => string;

type NotScanned = Extract<Verdict, { readonly outcome: 'cannot_scan' }>;

/** Matches a UUID or SHA-256, with or without a prefix such as `ep:`. Its digits can look like a card number. */
const MACHINE_ID =
  /^([a-z]+:)*([0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;

const FINDINGS_IN_SLICE = 100;

/** The sorted entries of objects, so that an object with many findings is sorted once. */
class EntriesOf {
  private readonly known = new Map<JsonObject, ReturnType<typeof sortedEntries>>();

  of(object: JsonObject): ReturnType<typeof sortedEntries> {
    let entries = this.known.get(object);
    if (entries === undefined) this.known.set(object, (entries = sortedEntries(object)));
    return entries;
  }
}

/** Returns the text at a finding's path: a string, the JSON text of a number, or a key if `in_key`. */
function scannedAt(value: Json, { path, in_key }: Finding, entriesOf: EntriesOf): string {
  let node = value;
  for (const [depth, step] of path.entries()) {
    if (isList(node)) {
      node = node[step as number] as Json;
      continue;
    }
    const [key, item] =
      typeof step === 'number'
        ? (entriesOf.of(node as JsonObject)[step] as readonly [string, Json])
        : [step, (node as JsonObject)[step] as Json];
    if (in_key && depth === path.length - 1) return key;
    node = item;
  }
  return typeof node === 'string' ? node : JSON.stringify(node);
}

/**
 * Removes personal data from free texts and values before they are stored, and records the place, hash and reason
 * of each removal (SPEC P3).
 */
export class Redactor {
  readonly redactions: LogRedaction[] = [];

  /**
   * @param refusal makes the error for a field that cannot be scanned, and for an id with personal data. It is given
   * the verdict on a field that cannot be scanned.
   */
  constructor(
    private readonly hash: HashOfRedacted,
    private readonly refusal: (reason: string, verdict?: NotScanned) => Error,
    private readonly rules: RuleSet,
  ) {}

  /** Replaces each finding in a text by `[REDACTED:<type>]`. Fails if the text cannot be scanned. */
  text(text: string, field: string): string {
    return finished(this.slicedText(text, field));
  }

  /** The same as `text`, but a text that cannot be scanned is replaced as a whole. */
  textOrPlaceholder(text: string, field: string): string {
    return finished(this.slicedTextOrPlaceholder(text, field));
  }

  /** The same as `textOrPlaceholder`, in slices. */
  *slicedTextOrPlaceholder(text: string, field: string): Slices<string> {
    const verdict = yield* textScan(text, this.rules);
    if (verdict.outcome !== 'cannot_scan')
      return this.without(this.findingsOf(verdict, field), text, field);
    this.note(field, verdict.outcome, text);
    return redactedText(verdict.outcome);
  }

  /** The same as `text`, in slices. */
  *slicedText(text: string, field: string): Slices<string> {
    const verdict = yield* textScan(text, this.rules);
    return this.without(this.findingsOf(verdict, field), text, field);
  }

  /** Redacts the strings, numbers and keys of a value. Fails if the value cannot be scanned. */
  json<Value extends Json>(value: Value, field: string): Value {
    return finished(this.slicedJson(value, field));
  }

  /** The same as `json`, in slices. */
  *slicedJson<Value extends Json>(value: Value, field: string): Slices<Value> {
    if (typeof value === 'string') return (yield* this.slicedText(value, field)) as Value;
    const verdict = yield* jsonScan(value, this.rules, field);
    const entriesOf = new EntriesOf();
    const personal: Finding[] = [];
    for (const [place, finding] of this.findingsOf(verdict, field).entries()) {
      if (place % FINDINGS_IN_SLICE === 0) yield;
      const text = scannedAt(value, finding, entriesOf);
      if (MACHINE_ID.test(text)) continue;
      personal.push(finding);
      this.note([field, ...finding.path].join('.'), finding.type, text.slice(...finding.span));
    }
    return (yield* jsonRedaction(value, personal, this.hash)) as Value;
  }

  /** Checks an id, which cannot be redacted. Fails if the id contains personal data (SPEC I4). */
  id(id: string, field: string): string {
    if (!MACHINE_ID.test(id) && scanId(id, this.rules).outcome !== 'clear')
      throw this.refusal(`${field} holds personal data, which an id may not`);
    return id;
  }

  private findingsOf(verdict: Verdict, field: string): readonly Finding[] {
    if (verdict.outcome === 'cannot_scan')
      throw this.refusal(
        verdict.reason === 'too_deep'
          ? `${field}: nested deeper than ${MAX_DEPTH}`
          : `${field} cannot be scanned for personal data`,
        verdict,
      );
    return verdict.outcome === 'clear' ? [] : verdict.findings;
  }

  private without(findings: readonly Finding[], text: string, field: string): string {
    for (const { type, span } of findings) this.note(field, type, text.slice(...span));
    return redact(text, findings);
  }

  private note(field: string, type: string, found: string): void {
    this.redactions.push({
      field,
      type,
      hash: this.hash(found),
      redaction_reason: REDACTION_REASON,
    });
  }
}
