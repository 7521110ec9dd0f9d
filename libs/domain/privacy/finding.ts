/** What the detector tells apart (SPEC P1). The names are stored in events and never change. */
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

/** High needs consent and the council, medium consent (SPEC P4). */
export type Category = 'high' | 'medium' | 'low';

/** The rules that found it: kept with each finding, since a later version may judge otherwise (SPEC P1). */
export const RULE_SET_VERSION = 'privacy-1';

/** Where personal data stands; never the data itself (SPEC P1). */
export interface Finding {
  readonly type: FindingType;
  readonly category: Category;
  /** The way to the string in a JSON value; empty for a plain text. */
  readonly path: readonly PathStep[];
  /** Whether it stands in an object's key, the last of the path, rather than in the value there. */
  readonly in_key: boolean;
  /** UTF-16 offsets in the original text, end exclusive; of a number, in its JSON form. */
  readonly span: readonly [start: number, end: number];
  readonly rule_set_version: string;
}

/**
 * A step from a JSON value to the string that was looked at: an index, the number of an entry in an object,
 * or its key. Keys are named only where nothing was found in them, so that a path holds nothing personal.
 */
export type PathStep = string | number;

/** Why something cannot be scanned, and so is refused (SPEC P2). */
export type Unscannable = 'too_large' | 'too_deep' | 'too_many_encodings';

/** Nothing was found. */
export type Clear = { readonly outcome: 'clear'; readonly rule_set_version: string };

/** What the gate says of a text or value. Recorded as input where something relies on it (SPEC P3). */
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
