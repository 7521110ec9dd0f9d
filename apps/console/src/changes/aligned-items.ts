import type { Json } from '#client/index.js';
import { comparedPieces } from '../action-requests/line-diff';
import { changedPaths, isFields } from './changed-paths';

/** A place in one of two lists, or the same place in both. */
export interface AlignedItem {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  changedPaths(left, right).length === 0;

/** Finds the equal items of two lists, so that an inserted item changes none of those after it. */
export function alignedItems(before: readonly Json[], after: readonly Json[]): AlignedItem[] {
  const aligned: AlignedItem[] = [];
  let [left, right] = [0, 0];
  let [removed, added]: [Json[], Json[]] = [[], []];
  const flush = (): void => {
    aligned.push(...pairs(removed, added));
    [removed, added] = [[], []];
  };
  for (const { kind } of comparedPieces(before.map(sortedText), after.map(sortedText))) {
    if (kind === 'same') {
      flush();
      aligned.push({ before: before[left], after: after[right] });
    } else if (kind === 'removed') removed.push(before[left]!);
    else added.push(after[right]!);
    if (kind !== 'added') left += 1;
    if (kind !== 'removed') right += 1;
  }
  flush();
  return aligned;
}

/** Pairs what was taken out with what was put in at the same place: by their names, then in their order. */
function pairs(removed: readonly Json[], added: readonly Json[]): AlignedItem[] {
  const left = new Set(removed);
  const partners = added.map((after) => {
    const partner = [...left].find((before) => isNamedAlike(before, after));
    if (partner !== undefined) left.delete(partner);
    return partner;
  });
  const found = added.map((after, index): AlignedItem => {
    const [next] = partners[index] === undefined && isFields(after) ? unnamed(left) : [];
    if (next !== undefined) left.delete(next);
    return { before: partners[index] ?? next, after };
  });
  return [...[...left].map((before) => ({ before, after: undefined })), ...found];
}

const NAMES = ['id', 'key', 'name'] as const;

const unnamed = (items: ReadonlySet<Json>): Json[] => [...items].filter((item) => !isNamed(item));

const isNamed = (item: Json): boolean =>
  isFields(item) && NAMES.some((name) => item[name] !== undefined);

const isNamedAlike = (left: Json, right: Json): boolean =>
  isFields(left) &&
  isFields(right) &&
  NAMES.some((name) => left[name] !== undefined && left[name] === right[name]);

/** A text that is equal for equal values, whatever the order of their keys. */
const sortedText = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) =>
    isFields(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
