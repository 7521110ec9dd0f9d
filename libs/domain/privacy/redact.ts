import type { Json, JsonObject } from '../json.js';
import type { Finding, FindingType, PathStep } from './finding.js';
import { isList, sortedEntries } from './scan-json.js';

export const REDACTION_REASON = 'PII_DETECTED';

/** The object that replaces a redacted value (SPEC P3). */
export type Redacted = {
  readonly redacted: true;
  readonly type: FindingType;
  /** An HMAC of the value, from which the value cannot be guessed. */
  readonly hash: string;
  readonly redaction_reason: typeof REDACTION_REASON;
};

/** Returns the text with each finding replaced by `[REDACTED:<type>]` (SPEC P3). */
export function redact(text: string, findings: readonly Pick<Finding, 'type' | 'span'>[]): string {
  const ordered = [...findings].sort((one, other) => one.span[0] - other.span[0]);
  let redacted = '';
  let done = 0;
  for (const { type, span } of ordered) {
    redacted += `${text.slice(done, span[0])}[REDACTED:${type}]`;
    done = span[1];
  }
  return redacted + text.slice(done);
}

const place = (path: readonly PathStep[], inKey: boolean): string => JSON.stringify([path, inKey]);

class Redaction {
  private readonly byPlace = new Map<string, Finding[]>();

  constructor(
    findings: readonly Finding[],
    private readonly hash: (value: Json) => string,
  ) {
    for (const finding of findings) {
      const key = place(finding.path, finding.in_key);
      this.byPlace.set(key, [...(this.byPlace.get(key) ?? []), finding]);
    }
  }

  of(value: Json, path: readonly PathStep[]): Json {
    if (typeof value === 'string' || typeof value === 'number') return this.ofScalar(value, path);
    if (value === null || typeof value === 'boolean') return value;
    if (isList(value)) return value.map((item, index) => this.of(item, [...path, index]));
    return this.ofObject(value, path);
  }

  private ofScalar(value: string | number, path: readonly PathStep[]): Json {
    const findings = this.byPlace.get(place(path, false)) ?? [];
    const [only] = findings;
    if (!only) return value;
    const text = String(value);
    const rest = text.slice(0, only.span[0]) + text.slice(only.span[1]);
    if (typeof value === 'string' && (findings.length > 1 || rest.trim() !== ''))
      return redact(value, findings);
    const redacted: Redacted = {
      redacted: true,
      type: only.type,
      hash: this.hash(value),
      redaction_reason: REDACTION_REASON,
    };
    return redacted;
  }

  private ofObject(value: JsonObject, path: readonly PathStep[]): JsonObject {
    const taken = new Set(Object.keys(value));
    const entries = sortedEntries(value).map(([key, item], number): [string, Json] => {
      const findings = this.byPlace.get(place([...path, number], true));
      const inner = this.of(item, [...path, findings ? number : key]);
      return [findings ? unusedKey(redact(key, findings), taken) : key, inner];
    });
    return Object.fromEntries(entries);
  }
}

/**
 * Returns a key that is not yet used. Two keys that become equal by redaction must remain two entries.
 */
function unusedKey(key: string, taken: Set<string>): string {
  let name = key;
  for (let number = 2; taken.has(name); number += 1) name = `${key} ${number}`;
  taken.add(name);
  return name;
}

/**
 * Redacts all findings in a value. A string or number that is one whole finding becomes a `Redacted`
 * object; a finding inside a longer text or a key becomes `[REDACTED:<type>]` (SPEC P3). @param findings
 * the findings of `scanJson` in this same value. @param hash an HMAC under a key of the service.
 */
export const redactJson = (
  value: Json,
  findings: readonly Finding[],
  hash: (value: Json) => string,
): Json => new Redaction(findings, hash).of(value, []);
