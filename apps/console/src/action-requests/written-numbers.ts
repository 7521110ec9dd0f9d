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

/** Where a text has a number, whatever its sign. */
export const numberPlaces = (text: string, value: number): Place[] =>
  numbersIn(text).filter(({ readings }) => readings.includes(Math.abs(value)));

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
