import type { Slices } from '#domain/slices.js';

/** The number of items that are sorted or merged in one slice. */
const ITEMS_AT_ONCE = 500;

/** Returns the items in order: sorted runs of items, which are merged in pairs until one is left. */
export function* sorted<Item>(
  items: readonly Item[],
  isBefore: (left: Item, right: Item) => boolean,
): Slices<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const run = items.slice(from, from + ITEMS_AT_ONCE);
    runs.push(run.sort((left, right) => (isBefore(left, right) ? -1 : 1)));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergedOf(runs[at]!, runs[at + 1] ?? [], isBefore));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedOf<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isBefore: (left: Item, right: Item) => boolean,
): Slices<Item[]> {
  const merged: Item[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length || fromRight < right.length) {
    const takesRight =
      fromLeft === left.length ||
      (fromRight < right.length && isBefore(right[fromRight]!, left[fromLeft]!));
    merged.push(takesRight ? right[fromRight++]! : left[fromLeft++]!);
    if (merged.length % ITEMS_AT_ONCE === 0) yield;
  }
  return merged;
}
