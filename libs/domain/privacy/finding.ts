import { canonicalJson } from '../determinism/canonical-json.js';

/** The types of findings (SPEC P1). Events store these names, so the names never change. */
export const FINDING_TYPES = [
  'email',
  'phone',
  'payment_card',
  'iban',
  'us_ssn',
  'national_id',
  'ip_address',
  'mac_address',
  'date_of_birth',
  'street_address',
  'passport',
  'private_key',
  'jwt',
  'api_key',
  'token',
  'password',
] as const;
export type FindingType = (typeof FINDING_TYPES)[number];

/**
 * Keeping data of category high needs consent and the council; keeping data of category medium needs
 * consent (SPEC P4).
 */
export type Category = 'high' | 'medium' | 'low';

const CATEGORIES: readonly Category[] = ['low', 'medium', 'high'];

/** True if both are the same finding: what it says of a text, whichever version of the rules has found it. */
export const isSameFinding = (one: Finding, other: Finding): boolean =>
  canonicalJson(placeOf(one)) === canonicalJson(placeOf(other));

const placeOf = ({ rule_set_version: _, ...place }: Finding) => place;

export const highestCategory = (findings: readonly Pick<Finding, 'category'>[]): Category =>
  CATEGORIES.findLast((one) => findings.some(({ category }) => category === one)) ?? 'low';

/** The version of the rules, kept with each finding because later rules may judge differently (SPEC P1). */
export const RULE_SET_VERSION = 'privacy-3';

/** A finding has the place and the type of personal data, never the data itself (SPEC P1). Events record it. */
export type Finding = {
  readonly type: FindingType;
  readonly category: Category;
  /** The path to the string in a JSON value; empty for a plain text. */
  readonly path: readonly PathStep[];
  /**
   * True if the finding is in the key of an object, not in its value. The last step of the finding's
   * path is then that key.
   */
  readonly in_key: boolean;
  /** UTF-16 offsets in the original text, end exclusive. For a number, they are offsets in its JSON text. */
  readonly span: readonly [start: number, end: number];
  readonly rule_set_version: string;
};

/**
 * A step of a path: an index in a list, or the key of an object's entry. If the gate found something in the key
 * itself, the step is the entry's number among the sorted keys, so a path holds no personal data.
 */
export type PathStep = string | number;

/** Why a value cannot be scanned and is refused (SPEC P2). */
export type Unscannable = 'too_large' | 'too_deep' | 'too_many_encodings';

/** The verdict on a text or value without findings. */
export type Clear = { readonly outcome: 'clear'; readonly rule_set_version: string };

/** The gate's verdict on a text or value. It is recorded as input if a decision depends on it (SPEC P3). */
export type Verdict =
  | Clear
  | {
      readonly outcome: 'flagged';
      readonly findings: readonly Finding[];
      readonly rule_set_version: string;
    }
  | {
      readonly outcome: 'cannot_scan';
      readonly reason: Unscannable;
      readonly rule_set_version: string;
    };
