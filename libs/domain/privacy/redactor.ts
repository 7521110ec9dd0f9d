import type { Json, JsonObject } from '../json.js';
import type { LogRedaction } from '../reflective-log/fields.js';
import type { Finding, PathStep, Verdict } from './finding.js';
import { redact, redactJson, REDACTION_REASON } from './redact.js';
import { DEFAULT_RULES, type RuleSet } from './rule-set.js';
import { scanId } from './scan-id.js';
import { isList, scanJson, sortedEntries } from './scan-json.js';
import { scanText } from './scan-text.js';

/**
 * Makes an HMAC under a key of the service. The removed data cannot be guessed from the HMAC (SPEC P3).
 */
export type HashOfRedacted = (value: Json) => string;

/**
 * Matches a UUID or SHA-256, with or without a prefix such as `ep:`. Its digits can look like a card
 * number.
 */
const MACHINE_ID =
  /^([a-z]+:)*([0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;

/** Returns the text at a finding's path: a string, the JSON text of a number, or a key if `inKey`. */
function scannedAt(value: Json, path: readonly PathStep[], inKey: boolean): string {
  let node = value;
  for (const [depth, step] of path.entries()) {
    if (isList(node)) {
      node = node[step as number] as Json;
      continue;
    }
    const entries = sortedEntries(node as JsonObject);
    const [key, item] =
      typeof step === 'number'
        ? (entries[step] as readonly [string, Json])
        : [step, (node as JsonObject)[step] as Json];
    if (inKey && depth === path.length - 1) return key;
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

  /** @param refusal makes the error for a field that cannot be scanned, and for an id with personal data */
  constructor(
    private readonly hash: HashOfRedacted,
    private readonly refusal: (reason: string) => Error,
    private readonly rules: RuleSet = DEFAULT_RULES,
  ) {}

  /**
   * Replaces each finding in a text by `[REDACTED:<type>]`. Fails if the text cannot be scanned.
   */
  text(text: string, field: string): string {
    return this.without(this.findingsOf(scanText(text, '', this.rules), field), text, field);
  }

  /** The same as `text`, but a text that cannot be scanned is replaced as a whole. */
  textOrPlaceholder(text: string, field: string): string {
    const verdict = scanText(text, '', this.rules);
    if (verdict.outcome !== 'cannot_scan')
      return this.without(this.findingsOf(verdict, field), text, field);
    this.note(field, verdict.outcome, text);
    return `[REDACTED:${verdict.outcome}]`;
  }

  /**
   * Redacts the strings, numbers and keys of a value. Fails if the value cannot be scanned.
   */
  json<Value extends Json>(value: Value, field: string): Value {
    if (typeof value === 'string') return this.text(value, field) as Value;
    const found = this.findingsOf(scanJson(value, field, this.rules), field).map((finding) => ({
      finding,
      text: scannedAt(value, finding.path, finding.in_key),
    }));
    const personal = found.filter(({ text }) => !MACHINE_ID.test(text));
    for (const { finding, text } of personal)
      this.note([field, ...finding.path].join('.'), finding.type, text.slice(...finding.span));
    const findings = personal.map(({ finding }) => finding);
    return redactJson(value, findings, this.hash) as Value;
  }

  /**
   * Checks an id, which cannot be redacted. Fails if the id contains personal data (SPEC I4).
   */
  id(id: string, field: string): string {
    if (!MACHINE_ID.test(id) && scanId(id, this.rules).outcome !== 'clear')
      throw this.refusal(`${field} holds personal data, which an id may not`);
    return id;
  }

  private findingsOf(verdict: Verdict, field: string): readonly Finding[] {
    if (verdict.outcome === 'cannot_scan')
      throw this.refusal(`${field} cannot be scanned for personal data`);
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
