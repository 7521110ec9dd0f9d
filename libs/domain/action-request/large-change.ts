import { type Held, isSealed } from '../held.js';
import type { Json } from '../json.js';
import type { Compared } from './events.js';
import { isList, isScalar, type Scalar } from './leaves.js';
import { formOf, numbersIn } from './numbers.js';

const FACTOR = 10;
/** Counts of a few things vary much; a number that reaches this limit is seldom one of them. */
const FACTOR_FROM_LIMIT = 5;
const LIMIT = 100;
const SHARE = 0.5;
/** A shorter text or object is another one as soon as it differs, which a contradiction says already. */
const FEWEST_PARTS = 2;
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;
/** Dates, periods and names such as A12 and SK4035, whose numbers do not count anything. */
const NO_AMOUNT =
  /(?<!\d)\d{1,4}[-/]\d{1,4}(?:[-/]\d{1,4})?(?!\d)|(?<![\p{L}\p{N}])\p{L}{1,2}\d+/gu;

/**
 * Returns what an event records of a proposed value that changes much of the one that stands: a number in it becomes ten
 * times as large or as small (five times, if the larger one is 100 or more) or gets another sign, two parts of it are
 * exchanged, or half of the words or of the fields are other ones. A sealed value cannot be compared.
 */
export function largeChange(before: Held | undefined, after: Held): Compared {
  if (before === undefined || isSealed(before) || isSealed(after)) return {};
  return changesMuch(before.value, after.value) ? { large_change: true } : {};
}

/** Returns what an event or a command says of it. */
export const changeOf = ({ large_change }: Compared): Compared =>
  large_change === undefined ? {} : { large_change };

function changesMuch(before: Json, after: Json): boolean {
  if (isScalar(before) !== isScalar(after)) return true;
  if (!isScalar(before) || !isScalar(after))
    return changesHalf(leafTexts(before), leafTexts(after)) || changesPart(before, after);
  if (isFarScalar(before, after)) return true;
  if (typeof before === 'string' && typeof after === 'string')
    return !isNumber(before) && changesHalf(before.match(WORD) ?? [], after.match(WORD) ?? []);
  return typeof before !== typeof after && !(isNumber(before) && isNumber(after));
}

/** True if a part that both values have, at the same place, is far from the one before, or two have changed places. */
function changesPart(before: Json, after: Json): boolean {
  const changes = new Set<string>();
  for (const [old, now] of pairsOf(before, after)) {
    if (isFarScalar(old, now)) return true;
    if (old === now || !isNameOrNumber(old) || !isNameOrNumber(now)) continue;
    if (changes.has(JSON.stringify([now, old]))) return true;
    changes.add(JSON.stringify([old, now]));
  }
  return false;
}

/** Truth values change places without being exchanged: one thing ends and another begins. */
const isNameOrNumber = (value: Scalar): boolean =>
  typeof value === 'string' || typeof value === 'number';

type Pair = readonly [before: Json, after: Json];

/**
 * Yields the leaves that stand at the same place of two values. The items of a list may change their order, so those that
 * both lists have are left out, and the others are taken in their order.
 */
function* pairsOf(before: Json, after: Json): Generator<readonly [Scalar, Scalar]> {
  const waiting: Pair[] = [[before, after]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [old, now] = pair;
    if (isScalar(old) && isScalar(now)) yield [old, now];
    else if (!isScalar(old) && !isScalar(now))
      for (const inner of innerPairs(old, now)) waiting.push(inner);
  }
}

function innerPairs(old: Exclude<Json, Scalar>, now: Exclude<Json, Scalar>): readonly Pair[] {
  if (isList(old) && isList(now)) {
    const [gone, come] = differing(old, now);
    return gone.slice(0, come.length).map((item, at) => [item, come[at] ?? null]);
  }
  if (isList(old) || isList(now)) return [];
  return Object.entries(old).flatMap(([field, part]): Pair[] => {
    const other = Object.hasOwn(now, field) ? now[field] : undefined;
    return other === undefined ? [] : [[part, other]];
  });
}

/** Returns the items of two lists that the other one does not have. */
function differing(
  old: readonly Json[],
  now: readonly Json[],
): readonly [readonly Json[], readonly Json[]] {
  const [texts, others] = [old, now].map(
    (items) => new Set(items.map((item) => JSON.stringify(item))),
  );
  return [
    old.filter((item) => others?.has(JSON.stringify(item)) === false),
    now.filter((item) => texts?.has(JSON.stringify(item)) === false),
  ];
}

/** True if the numbers of two leaves are far from each other, or those in two texts that have as many. */
function isFarScalar(before: Scalar, after: Scalar): boolean {
  if (before === after) return false;
  const [from, to] = [readingsIn(before), readingsIn(after)];
  if (from.length !== to.length)
    return (
      (isNumber(before) && !isNumber(after)) ||
      (isAmount(before) && to.length === 0) ||
      (isAmount(after) && from.length === 0)
    );
  return from.some((old, at) => isFarReading(old, to[at] ?? []));
}

/** Returns the readings of each number in a leaf. */
const readingsIn = (value: Scalar): readonly (readonly number[])[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [...numbersIn(formOf(String(value)).replace(NO_AMOUNT, ' '))].map(({ readings }) => readings)
    : [];

/** True if a leaf is a number, or a text that is one in any notation. */
const isNumber = (value: Scalar): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && !/\p{L}{2}/u.test(value) && readingsIn(value).length === 1);

/** The most words of an amount: the number and its unit. */
const WORDS_OF_AMOUNT = 2;

/** True if a leaf is a number, alone or with its unit: `5000 EUR`. */
const isAmount = (value: Scalar): boolean =>
  readingsIn(value).length === 1 && String(value).trim().split(/\s+/u).length <= WORDS_OF_AMOUNT;

/** A number that can be read in two ways is far only if each reading is. */
const isFarReading = (from: readonly number[], to: readonly number[]): boolean =>
  from.every((old) => to.every((now) => isFar(old, now)));

function isFar(from: number, to: number): boolean {
  if (Math.sign(from) !== Math.sign(to)) return true;
  const [small = 0, large = 0] = [Math.abs(from), Math.abs(to)].sort((one, other) => one - other);
  return small !== large && large >= (large >= LIMIT ? FACTOR_FROM_LIMIT : FACTOR) * small;
}

/** Returns a text for each leaf and each empty part of a value, with its place; the items of a list have one place. */
function leafTexts(value: Json): readonly string[] {
  const found: string[] = [];
  const waiting: (readonly [path: string, part: Json])[] = [['', value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, part] = next;
    if (isScalar(part) || Object.keys(part).length === 0)
      found.push(`${path}:${JSON.stringify(part)}`);
    else if (isList(part)) for (const item of part) waiting.push([`${path}[]`, item]);
    else
      for (const [field, item] of Object.entries(part))
        waiting.push([`${path}${JSON.stringify(field)}`, item]);
  }
  return found;
}

/** True if at least half of the parts of the longer list are not in the other one, wherever they stand. */
function changesHalf(before: readonly string[], after: readonly string[]): boolean {
  const most = Math.max(before.length, after.length);
  if (most < FEWEST_PARTS) return false;
  const left = new Map<string, number>();
  for (const part of before) left.set(part, (left.get(part) ?? 0) + 1);
  let kept = 0;
  for (const part of after) {
    const count = left.get(part) ?? 0;
    if (count > 0) kept += 1;
    left.set(part, count - 1);
  }
  return most - kept >= SHARE * most;
}
