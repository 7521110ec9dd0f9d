/** From `start` to before `end`, in characters of a text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const NUMBER = /\d+(?:[.,:’'\u00A0\u202F]\d+)*/g;
const DATE = /\d{4}-\d\d-\d\d/g;

/** A number in a text, and what it can mean. */
export interface WrittenNumber extends Place {
  readonly readings: readonly number[];
}

/** Where a text has one of these numbers, whatever its sign. */
export function numberPlaces(text: string, values: readonly number[]): Place[] {
  const sought = new Set(values.map(Math.abs));
  return numbersIn(text).filter(({ readings }) => readings.some((reading) => sought.has(reading)));
}

/** The numbers of a text, without those in dates. */
export function numbersIn(text: string): WrittenNumber[] {
  const undated = text.replace(DATE, (date) => ' '.repeat(date.length));
  return [...undated.matchAll(NUMBER)].flatMap(({ 0: written, index: start }) =>
    isEdge(undated, start)
      ? [{ start, end: start + written.length, readings: readingsOf(written) }]
      : [],
  );
}

/** The numbers that some digits with separators can mean: `2,540` is 2540 or 2.54. A time and `007` mean no number. */
function readingsOf(written: string): number[] {
  if (written.includes(':') || /^0\d/.test(written)) return [];
  const groups = written.split(/\D/);
  const [whole = '', ...rest] = groups;
  const last = rest.at(-1) ?? '';
  return [
    ...(rest.every((group) => group.length === 3) ? [Number(groups.join(''))] : []),
    ...(rest.length > 0 && rest.slice(0, -1).every((group) => group.length === 3)
      ? [Number(`${whole}${rest.slice(0, -1).join('')}.${last}`)]
      : []),
  ];
}

const WORD = /[\p{L}\p{N}]/u;

/** True if no word goes across this place. */
export const isEdge = (text: string, at: number): boolean =>
  !WORD.test(text.charAt(at - 1)) || !WORD.test(text.charAt(at));

/** A number of the evidence that the proposer may have meant. */
export interface NearNumber {
  readonly value: number;
  /** As the evidence has it. */
  readonly written: string;
}

/** More numbers of the evidence are not compared. */
const MAX_COMPARED = 2_000;
/** Of shorter numbers, too many differ in one digit. */
const ONE_DIGIT_FROM = 3;

const PLAIN = /^\d+(?:\.\d+)?$/;

const isPermuted = (one: string, other: string): boolean =>
  one.length === other.length && [...one].sort().join('') === [...other].sort().join('');

const differsInOneDigit = (one: string, other: string): boolean =>
  one.length === other.length &&
  one.length >= ONE_DIGIT_FROM &&
  one.indexOf('.') === other.indexOf('.') &&
  [...one].filter((digit, at) => digit !== other[at]).length === 1;

/** The digits of a number from its first to its last one that is not 0. */
const significant = (digits: string): string => Number(digits).toExponential().split('e')[0] ?? '';

const isTenfold = (one: string, other: string): boolean => {
  const [less, more] = [Number(one), Number(other)].sort((left, right) => left - right);
  return significant(one) === significant(other) && Math.round(more! / less!) === 10;
};

/** How a number is mistaken, the likeliest first. */
const MISTAKES = [isPermuted, differsInOneDigit, isTenfold];

/**
 * Returns the number of the evidence that the proposer may have mistaken: it has the same digits in another order, or one
 * other digit, or it is ten times as large or small. Undefined if the evidence has no such number.
 */
export function nearestNumber(texts: readonly string[], sought: number): NearNumber | undefined {
  const digits = String(Math.abs(sought));
  if (!PLAIN.test(digits) || Number(digits) === 0) return undefined;
  let nearest: NearNumber | undefined;
  let likeliest = MISTAKES.length;
  for (const { value, written } of numbersOf(texts)) {
    const other = String(value);
    if (other === digits || !PLAIN.test(other) || value === 0) continue;
    const mistake = MISTAKES.findIndex((isMade) => isMade(digits, other));
    if (mistake === -1 || mistake >= likeliest) continue;
    nearest = { value, written };
    likeliest = mistake;
  }
  return nearest;
}

const numbersOf = (texts: readonly string[]): readonly NearNumber[] =>
  texts
    .flatMap((text) =>
      numbersIn(text).map(({ start, end, readings }) => ({
        ...{ written: text.slice(start, end), readings },
      })),
    )
    .slice(0, MAX_COMPARED)
    .flatMap(({ written, readings }) => readings.map((value) => ({ value, written })));
