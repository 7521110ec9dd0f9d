import { type Held, isSealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import { finished, type Slices } from '../slices.js';
import type { Finding, PathStep } from './finding.js';
import { isList, sortedEntries } from './scan-json.js';
import { type Redacted, redactedText, REDACTION_REASON } from './withheld.js';

/** Returns a recorded value as a caller sees it who must not see personal data (SPEC P3). */
export const redactedView = (held: Held): Json =>
  isSealed(held)
    ? { redacted: true, type: held.sealed.type, redaction_reason: REDACTION_REASON }
    : held.value;

/** Returns the text with each finding replaced by `[REDACTED:<type>]` (SPEC P3). */
export function redact(text: string, findings: readonly Pick<Finding, 'type' | 'span'>[]): string {
  const ordered = [...findings].sort((one, other) => one.span[0] - other.span[0]);
  let redacted = '';
  let done = 0;
  for (const { type, span } of ordered) {
    redacted += text.slice(done, span[0]) + redactedText(type);
    done = span[1];
  }
  return redacted + text.slice(done);
}

const place = (path: readonly PathStep[], inKey: boolean): string => JSON.stringify([path, inKey]);

const VALUES_IN_SLICE = 200;

class Redaction {
  private readonly byPlace = new Map<string, Finding[]>();
  private visited = 0;

  constructor(
    findings: readonly Finding[],
    private readonly hash: (value: Json) => string,
  ) {
    for (const finding of findings) {
      const key = place(finding.path, finding.in_key);
      const here = this.byPlace.get(key);
      if (here === undefined) this.byPlace.set(key, [finding]);
      else here.push(finding);
    }
  }

  *of(value: Json, path: readonly PathStep[]): Slices<Json> {
    this.visited += 1;
    if (this.visited % VALUES_IN_SLICE === 0) yield;
    if (typeof value === 'string' || typeof value === 'number') return this.ofScalar(value, path);
    if (value === null || typeof value === 'boolean') return value;
    if (!isList(value)) return yield* this.ofObject(value, path);
    const items: Json[] = [];
    for (const [index, item] of value.entries()) items.push(yield* this.of(item, [...path, index]));
    return items;
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

  private *ofObject(value: JsonObject, path: readonly PathStep[]): Slices<JsonObject> {
    const names = new UnusedNames(Object.keys(value));
    const entries: [string, Json][] = [];
    for (const [number, [key, item]] of sortedEntries(value).entries()) {
      const findings = this.byPlace.get(place([...path, number], true));
      const inner = yield* this.of(item, [...path, findings ? number : key]);
      entries.push([findings ? names.from(redact(key, findings)) : key, inner]);
    }
    return Object.fromEntries(entries);
  }
}

/** Two keys that become equal by redaction must remain two entries. */
class UnusedNames {
  private readonly taken: Set<string>;
  /** The next number to try for each name, so that many equal names do not each begin at 2. */
  private readonly next = new Map<string, number>();

  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  /** Returns the name, with a number if it is taken. */
  from(key: string): string {
    let name = key;
    let number = this.next.get(key) ?? 2;
    for (; this.taken.has(name); number += 1) name = `${key} ${number}`;
    this.next.set(key, number);
    this.taken.add(name);
    return name;
  }
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
): Json => finished(jsonRedaction(value, findings, hash));

/** The same as `redactJson`, in slices. */
export const jsonRedaction = (
  value: Json,
  findings: readonly Finding[],
  hash: (value: Json) => string,
): Slices<Json> => new Redaction(findings, hash).of(value, []);
