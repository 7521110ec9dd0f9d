import { type Held, isSealed } from '../held.js';
import type { Json } from '../json.js';
import type { Compared } from './events.js';
import { leavesOf } from './leaves.js';

const FACTOR = 10;
const SHARE = 0.5;
/** A shorter text or object is another one as soon as it differs, which a contradiction says already. */
const FEWEST_PARTS = 2;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;

/**
 * Returns what an event records of a proposed value that changes much of the one that stands: a number in it becomes ten
 * times as large or as small or gets another sign, or half of the words or of the fields are other ones. A sealed value
 * cannot be compared.
 */
export function largeChange(before: Held | undefined, after: Held): Compared {
  if (before === undefined || isSealed(before) || isSealed(after)) return {};
  return changesMuch(before.value, after.value) ? { large_change: true } : {};
}

/** Returns what an event or a command says of it. */
export const changeOf = ({ large_change }: Compared): Compared =>
  large_change === undefined ? {} : { large_change };

function changesMuch(before: Json, after: Json): boolean {
  const [from, to] = [numberOf(before), numberOf(after)];
  if (from !== undefined && to !== undefined) return isFar(from, to);
  if (typeof before === 'string' && typeof after === 'string')
    return changesHalf(before.match(WORD) ?? [], after.match(WORD) ?? []);
  if (!isComposed(before) || !isComposed(after))
    return typeof before !== typeof after || isComposed(before) !== isComposed(after);
  return changesHalf(fieldsOf(before), fieldsOf(after)) || hasFarNumber(before, after);
}

const isComposed = (value: Json): boolean => typeof value === 'object' && value !== null;

const numberOf = (value: Json): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
};

function isFar(from: number, to: number): boolean {
  if (Math.sign(from) !== Math.sign(to)) return true;
  const [small, large] = [Math.abs(from), Math.abs(to)].sort((one, other) => one - other);
  return small !== large && (large ?? 0) >= FACTOR * (small ?? 0);
}

const fieldsOf = (value: Json): readonly string[] =>
  [...leavesOf(value)].map((leaf) => JSON.stringify([leaf.field, leaf.value]));

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

/** True if a field that both have once has a number that is far from the one before. */
function hasFarNumber(before: Json, after: Json): boolean {
  const [from, to] = [numbersByField(before), numbersByField(after)];
  for (const [field, value] of to) {
    const old = from.get(field);
    if (value !== undefined && old !== undefined && isFar(old, value)) return true;
  }
  return false;
}

/** Returns the number of each field; undefined for a field that several parts of the value have. */
function numbersByField(value: Json): ReadonlyMap<string, number | undefined> {
  const numbers = new Map<string, number | undefined>();
  for (const { field, value: leaf } of leavesOf(value))
    numbers.set(field, numbers.has(field) ? undefined : numberOf(leaf));
  return numbers;
}
