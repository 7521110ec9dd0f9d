import { compatible } from '../deceptive-text/plain-text.js';

const DASHES = '-−–';
/** A dash that can be a sign, as a part of an expression. */
export const DASH = `[${DASHES}]`;
const MINUS = 'minus ';
/**
 * The sign of a number, as a part of an expression: a dash, but not that of a range (3-5 days) or of a name (A-5), or a
 * word. The sign of a currency may stand behind it.
 */
export const SIGN = `(?:${DASH}(?<![\\p{L}\\p{N}].|[\\p{N}%°] .)|${MINUS}(?<![\\p{L}\\p{M}\\p{N}]${MINUS}))(?=\\p{Sc}?\\p{Nd})`;

/** True for what the expression of a sign has found. */
export const isSign = (found: string): boolean =>
  found === MINUS || (found.length === 1 && DASHES.includes(found));

const UNSIGNED =
  /(?<![\d.,:])(?:\d{1,3}(?:[ '’]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:e[+-]?\d{1,3}(?![\p{L}\d]))?(?!\d|:\d)(?: ?(?:k|thousand|mio|mn|millions?|mrd|bn|billions?)(?![\p{L}\p{M}\d]))?/u;
const NUMBER = new RegExp(`(${SIGN}\\p{Sc}?)?(${UNSIGNED.source})`, 'gu');
const MULTIPLE = / ?(k|thousand|mio|mn|millions?|mrd|bn|billions?)$/u;
const POWERS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3 },
  ...{ mio: 1e6, mn: 1e6, million: 1e6, millions: 1e6 },
  ...{ mrd: 1e9, bn: 1e9, billion: 1e9, billions: 1e9 },
};

const PLAIN = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const BY_COMMAS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const BY_POINTS = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const COMMA_OF_FRACTION = /^\d+,\d+$/;

/** A number in a text. */
export interface FoundNumber {
  /** A comma or a point can group digits or begin a fraction, so each reading counts. */
  readonly readings: readonly number[];
  /** The place of its first digit, and that behind it. */
  readonly start: number;
  readonly end: number;
}

/** Returns a text in the form in which numbers are sought: wide digits are plain, and letters are small. */
export const formOf = (text: string): string => compatible(text, 'NFKC').toLowerCase();

/** Yields the numbers in a text in this form, with their signs. */
export function* numbersIn(form: string): Generator<FoundNumber> {
  const known = new Map<string, readonly number[]>();
  for (const { 0: whole, 1: sign = '', 2: digits = '', index } of form.matchAll(NUMBER)) {
    let readings = known.get(digits);
    if (readings === undefined) known.set(digits, (readings = readingsOf(digits)));
    if (readings.length > 0)
      yield {
        readings: sign === '' ? readings : readings.map((one) => -one),
        start: index + sign.length,
        end: index + whole.length,
      };
  }
}

const DIGITS = /^\d+$/;

function readingsOf(found: string): readonly number[] {
  if (DIGITS.test(found)) return [Number(found)];
  const power = POWERS[MULTIPLE.exec(found)?.[1] ?? ''] ?? 1;
  const digits = found.replace(MULTIPLE, '').replace(/[ '’]/gu, '');
  const readings = new Set<number>();
  if (PLAIN.test(digits)) readings.add(Number(digits) * power);
  if (BY_COMMAS.test(digits)) readings.add(Number(digits.replaceAll(',', '')) * power);
  if (BY_POINTS.test(digits))
    readings.add(Number(digits.replaceAll('.', '').replace(',', '.')) * power);
  if (COMMA_OF_FRACTION.test(digits)) readings.add(Number(digits.replace(',', '.')) * power);
  return [...readings];
}
