/** What a text has, as bits: one look at each character tells which recognisers can have anything to find. */
export type Feature = number;

export const FEATURE = {
  none: 0,
  at: 1,
  digit: 2,
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
  nine_digits: 512,
  five_dashes: 1024,
} as const;

/** Longer than this, a run of base64 characters may hold an encoded text. */
const BASE64_RUN = 10;

const OTHER = 0;
const ALPHANUMERIC = 1;
const DIGIT = 2;
const CLASSES = new Uint8Array(128);
const BITS = new Uint16Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/_-') {
  CLASSES[letter.charCodeAt(0)] = ALPHANUMERIC;
}
for (const digit of '0123456789') CLASSES[digit.charCodeAt(0)] = DIGIT;
BITS['@'.charCodeAt(0)] = FEATURE.at;
BITS['%'.charCodeAt(0)] = FEATURE.percent;
BITS['.'.charCodeAt(0)] = FEATURE.dot;
BITS['-'.charCodeAt(0)] = FEATURE.dash;
BITS[':'.charCodeAt(0)] = FEATURE.assignment;
BITS['='.charCodeAt(0)] = FEATURE.assignment;

/** The features of a text, in one pass over its characters. */
export function featuresOf(text: string): Feature {
  let features: number = FEATURE.none;
  let digits = 0;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) {
      features |= FEATURE.beyond_ascii;
      run = 0;
      continue;
    }
    features |= BITS[code] as number;
    const kind = CLASSES[code] as number;
    if (kind === DIGIT) digits += 1;
    run = kind === OTHER ? 0 : run + 1;
    if (run === BASE64_RUN) features |= FEATURE.base64_run;
  }
  if (digits > 0) features |= FEATURE.digit;
  if (digits >= 4) features |= FEATURE.four_digits;
  if (digits >= 9) features |= FEATURE.nine_digits;
  if (features & FEATURE.dash && text.includes('-----')) features |= FEATURE.five_dashes;
  return features;
}
