/** The features of a text, as bits. A recogniser runs only if the text has the features that the recogniser needs. */
export type Feature = number;

export const FEATURE = {
  none: 0,
  at: 1,
  digit: 2,
  /** Four digits, each at most GAP characters after the one before, as in a number that is written in groups. */
  four_digits: 4,
  /** A colon or an equals sign, as between a name and its value. */
  assignment: 8,
  percent: 16,
  /** A run of ten characters of base64. */
  base64_run: 32,
  dot: 64,
  dash: 128,
  /** A character beyond ASCII. */
  beyond_ascii: 256,
  seven_digits: 512,
  nine_digits: 1024,
  five_dashes: 2048,
  space: 4096,
} as const;

/** The minimum length of a run of base64 characters that can contain an encoded text. */
export const BASE64_RUN = 10;

/** The most characters between two groups of digits of one number. */
const GAP = 3;

const IN_RUN = 1 << 15;
const IS_DIGIT = 1 << 14;
/** The features that some characters give to a text. */
const TRAITS_OF: readonly (readonly [characters: string, trait: number])[] = [
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-', IN_RUN],
  ['0123456789', IS_DIGIT],
  ['@', FEATURE.at],
  ['%', FEATURE.percent],
  ['.', FEATURE.dot],
  ['-', FEATURE.dash],
  [':=', FEATURE.assignment],
  [' ', FEATURE.space],
];

/** The features of each ASCII character, indexed by its code. */
const TRAITS: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  TRAITS_OF.filter(([characters]) => characters.includes(String.fromCharCode(code))).reduce(
    (traits, [, trait]) => traits | trait,
    0,
  ),
);

/** True if the character with this code belongs to base64 or base64url. */
export const inBase64 = (code: number): boolean =>
  code < 128 && ((TRAITS[code] as number) & IN_RUN) !== 0;

/** Returns the features of a text, in one pass over its characters. */
export function featuresOf(text: string): Feature {
  let traits = 0;
  let digits = 0;
  let mostDigits = 0;
  let lastDigit = -1;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const trait = code < 128 ? (TRAITS[code] as number) : FEATURE.beyond_ascii;
    traits |= trait;
    if (trait & IS_DIGIT) {
      digits = at - lastDigit > GAP + 1 ? 1 : digits + 1;
      if (digits > mostDigits) mostDigits = digits;
      lastDigit = at;
    }
    run = trait & IN_RUN ? run + 1 : 0;
    if (run === BASE64_RUN) traits |= FEATURE.base64_run;
  }
  let features = traits & ~(IN_RUN | IS_DIGIT);
  if (mostDigits > 0) features |= FEATURE.digit;
  if (mostDigits >= 4) features |= FEATURE.four_digits;
  if (mostDigits >= 7) features |= FEATURE.seven_digits;
  if (mostDigits >= 9) features |= FEATURE.nine_digits;
  if (features & FEATURE.dash && text.includes('-----')) features |= FEATURE.five_dashes;
  return features;
}
