/** The types of findings (SPEC P1). Events store the names, so they never change. */
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

/** To keep data of category high needs consent and the council, of category medium consent (SPEC P4). */
export type Category = 'high' | 'medium' | 'low';

/** The version of the rules, kept with each finding because later rules may judge differently (SPEC P1). */
export const RULE_SET_VERSION = 'privacy-1';

/** The place and type of personal data, never the data itself (SPEC P1). */
export interface Finding {
  readonly type: FindingType;
  readonly category: Category;
  /** The path to the string in a JSON value; empty for a plain text. */
  readonly path: readonly PathStep[];
  /** Whether the finding is in an object's key, which the last step names, and not in the key's value. */
  readonly in_key: boolean;
  /** UTF-16 offsets in the original text, end exclusive; for a number, in its JSON text. */
  readonly span: readonly [start: number, end: number];
  readonly rule_set_version: string;
}

/**
 * A step of a path: an index in a list, or the key of an object's entry. If the gate found something in the
 * key, the step is the number of the entry among the sorted keys, so that a path holds no personal data.
 */
export type PathStep = string | number;

/** Why a value cannot be scanned, and so is refused (SPEC P2). */
export type Unscannable = 'too_large' | 'too_deep' | 'too_many_encodings';

/** The verdict on a text or value without findings. */
export type Clear = { readonly outcome: 'clear'; readonly rule_set_version: string };

/** The gate's verdict on a text or value. Recorded as input if a decision relies on it (SPEC P3). */
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
