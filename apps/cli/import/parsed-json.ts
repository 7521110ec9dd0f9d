import { endOfString } from '#bounded/bounded-json.js';
import type { Json } from '#domain/json.js';
import type { LeftOut } from './left-out.js';

/** A double holds so many decimal digits at most. */
const MAX_DIGITS = 17;

/**
 * Parses JSON, and counts what `JSON.parse` leaves out in silence: fields that a later field of the same name
 * replaces, and digits that a double does not hold. @throws SyntaxError
 */
export function parsedJson(text: string, leftOut: LeftOut): Json {
  const value = JSON.parse(text) as Json;
  const { names, rounded } = writtenIn(text);
  leftOut.add('field that another of the same name replaces', names - namesOf(value));
  leftOut.add(`fraction rounded to ${MAX_DIGITS} digits`, rounded);
  return value;
}

/** Counts the names and the too long fractions in a text of valid JSON. */
function writtenIn(text: string): { names: number; rounded: number } {
  let names = 0;
  let rounded = 0;
  for (let start = 0; start <= text.length;) {
    const quote = text.indexOf('"', start);
    const open = quote < 0 ? text.length : quote;
    const between = text.slice(start, open);
    if (/^\s*:/.test(between)) names += 1;
    if (between.length > MAX_DIGITS) {
      for (const [number] of between.matchAll(/[\d.]+/g))
        if (number.includes('.') && significantDigits(number) > MAX_DIGITS) rounded += 1;
    }
    start = endOfString(text, open) + 1;
  }
  return { names, rounded };
}

function significantDigits(fraction: string): number {
  const digits = fraction.replace('.', '');
  let from = 0;
  let to = digits.length;
  while (digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  return to - from;
}

/** Counts the names of all objects in a value. It is iterative, so deep nesting cannot overflow the stack. */
function namesOf(root: Json): number {
  let names = 0;
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values<Json>(value);
    if (!Array.isArray(value)) names += inner.length;
    for (const each of inner) if (typeof each === 'object') pending.push(each);
  }
  return names;
}
