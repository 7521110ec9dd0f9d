import { compatible } from '../deceptive-text/plain-text.js';

const NUMBER =
  /(?<![\d.,:])(?:\d{1,3}(?:[ '’]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:e[+-]?\d{1,3}(?![\p{L}\d]))?(?!\d|:\d)(?: ?(?:k|thousand|mio|mn|millions?|mrd|bn|billions?)(?![\p{L}\p{M}\d]))?/gu;
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

const DASHES = '-−–';
const MINUS = 'minus ';

/** A number in a text. */
export interface FoundNumber {
  /** A comma or a point can group digits or begin a fraction, so each reading counts. */
  readonly readings: readonly number[];
}

/** Returns a text in the form in which numbers are sought: wide digits are plain, and letters are small. */
export const formOf = (text: string): string => compatible(text, 'NFKC').toLowerCase();

/** Yields the numbers in a text in this form, with their signs. */
export function* numbersIn(form: string): Generator<FoundNumber> {
  const known = new Map<string, readonly number[]>();
  for (const { 0: found, index } of form.matchAll(NUMBER)) {
    let readings = known.get(found);
    if (readings === undefined) known.set(found, (readings = readingsOf(found)));
    if (readings.length > 0)
      yield { readings: isNegativeAt(form, index) ? readings.map((one) => -one) : readings };
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

/** True if a sign belongs to the number at this place. The dash of a range (3-5 days) or of a name (A-5) does not. */
function isNegativeAt(form: string, place: number): boolean {
  const previous = form[place - 1] ?? '';
  const at = previous > ' ' && /\p{Sc}/u.test(previous) ? place - 1 : place;
  if (form[at - 1] === ' ') return form.startsWith(MINUS, at - MINUS.length);
  if (at === 0 || !DASHES.includes(form.charAt(at - 1))) return false;
  const before = form.slice(Math.max(0, at - 3), at - 1);
  return !/(?:[\p{L}\p{N}]|[\p{N}%°] )$/u.test(before);
}
