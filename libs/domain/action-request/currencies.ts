import { DASH } from './numbers.js';

/** The currencies that are traded most, by their codes in ISO 4217. */
const CODES =
  'usd eur jpy gbp cny aud cad chf hkd sgd sek krw nok nzd inr mxn twd zar brl dkk pln thb ils idr czk aed try huf clp sar'.split(
    ' ',
  );

/** The currencies that a sign can stand for. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['eur'],
  '£': ['gbp'],
  '¥': ['jpy', 'cny'],
  $: ['usd', 'cad', 'aud', 'nzd', 'hkd', 'sgd', 'twd', 'mxn', 'clp', 'brl'],
  kr: ['nok', 'sek', 'dkk'],
};

/** Each name of a currency in a text of small letters, with the currencies that it can mean. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map([
  ...CODES.map((code) => [code, [code]] as const),
  ...Object.entries(SIGNS),
]);

const WORDS = [...CODES, 'kr'].join('|');
/** The name of a currency at the end of what stands before a number, with its sign, and at the start of what follows. */
const BEFORE = new RegExp(`(?:(?<![\\p{L}\\p{M}\\p{N}])(${WORDS})\\.? ?|([€£¥$]) ?)${DASH}?$`, 'u');
const AFTER = new RegExp(`^(?:,-)? ?(?:(${WORDS})(?![\\p{L}\\p{M}\\p{N}])|([€£¥$]))`, 'u');
/** Neither of them is longer. */
const LONGEST = 8;

const WORD = /\p{L}+/gu;

/**
 * Returns the currencies that stand beside a number in a text of small letters, before it or after it. Empty if none is
 * named there.
 */
export function currenciesBeside(form: string, start: number, end: number): readonly string[] {
  const before = BEFORE.exec(form.slice(Math.max(0, start - LONGEST), start));
  const after = AFTER.exec(form.slice(end, end + LONGEST));
  return [before, after].flatMap((found) => MEANT.get(found?.[1] ?? found?.[2] ?? '') ?? []);
}

/** Returns the currencies that a name in small letters has among its words: `limit_eur`. */
export const currenciesIn = (name: string): readonly string[] =>
  (name.match(WORD) ?? []).flatMap((word) => MEANT.get(word) ?? []);
