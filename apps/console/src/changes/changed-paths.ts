import type { Json } from '#client/index.js';

/** One place at which two values differ. `undefined` means that the value has nothing there. */
export interface PathChange {
  /** The keys and indexes from the whole value to the place; empty for the whole value. */
  readonly path: readonly (string | number)[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export type Fields = { readonly [key: string]: Json };

/**
 * Returns where two values differ, the keys of objects in their sorted order, so that the order in which they were written
 * makes no difference. Lists are compared place by place.
 */
export function changedPaths(before: Json | undefined, after: Json | undefined): PathChange[] {
  const found: PathChange[] = [];
  const compare = (path: PathChange['path'], left: Json | undefined, right: Json | undefined) => {
    if (isFields(left) && isFields(right))
      for (const key of keysOf(left, right))
        compare([...path, key], own(left, key), own(right, key));
    else if (Array.isArray(left) && Array.isArray(right))
      for (let place = 0; place < Math.max(left.length, right.length); place += 1)
        compare(
          [...path, place],
          left[place] as Json | undefined,
          right[place] as Json | undefined,
        );
    else if (left !== right) found.push({ path, before: left, after: right });
  };
  compare([], before, after);
  return found;
}

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keysOf = (left: Fields, right: Fields): string[] =>
  [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();

const own = (fields: Fields, key: string): Json | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;
