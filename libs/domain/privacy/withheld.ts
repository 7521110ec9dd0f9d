import type { Json } from '../json.js';
import type { FindingType } from './finding.js';

export const REDACTION_REASON = 'PII_DETECTED';

/** The object that replaces a redacted value (SPEC P3). */
export type Redacted = {
  readonly redacted: true;
  readonly type: FindingType;
  /** An HMAC of the value, from which the value cannot be guessed. */
  readonly hash: string;
  readonly redaction_reason: typeof REDACTION_REASON;
};

/** What callers see in place of a value whose key was destroyed (SPEC P8). */
export const ERASED = { erased: true } as const;

/** What stands in the place of a value that is not shown. */
export type Withheld =
  | { readonly state: 'erased' }
  /** The types of the personal data; an outside recogniser has types of its own. */
  | { readonly state: 'redacted'; readonly types: readonly string[] };

/** The longest list of types that is taken for one. */
const MAX_TYPES = 1_000;
const TYPES = /^[a-z][a-z0-9_]{0,63}(?:,[a-z][a-z0-9_]{0,63})*$/;
const HASH = /^[0-9a-f]{64}$/;
const [BEFORE, AFTER] = ['[REDACTED:', ']'] as const;

/** Returns the text in place of personal data (SPEC P3). @param types one type, or several with commas between them */
export const redactedText = (types: string): string => `${BEFORE}${types}${AFTER}`;

/**
 * Returns what a value is in place of, if it has exactly the form in which the service writes that a value is
 * withheld; undefined for every other value. What a caller wrote can have this form too, but then it says nothing else.
 */
export function withheldOf(value: Json | undefined): Withheld | undefined {
  if (typeof value === 'string') {
    const isWhole = value.startsWith(BEFORE) && value.endsWith(AFTER);
    return isWhole ? redacted(value.slice(BEFORE.length, -AFTER.length)) : undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Readonly<Record<string, Json>>;
  switch (Object.keys(fields).sort().join()) {
    case 'erased':
      return fields['erased'] === true ? { state: 'erased' } : undefined;
    case 'hash,redacted,redaction_reason,type':
      return isHash(fields['hash']) ? placeholder(fields) : undefined;
    case 'redacted,redaction_reason,type':
      return placeholder(fields);
    default:
      return undefined;
  }
}

const isHash = (value: Json | undefined): boolean => typeof value === 'string' && HASH.test(value);

const placeholder = (fields: Readonly<Record<string, Json>>): Withheld | undefined =>
  fields['redacted'] === true &&
  fields['redaction_reason'] === REDACTION_REASON &&
  typeof fields['type'] === 'string'
    ? redacted(fields['type'])
    : undefined;

const redacted = (types: string): Withheld | undefined =>
  types.length <= MAX_TYPES && TYPES.test(types)
    ? { state: 'redacted', types: types.split(',') }
    : undefined;
