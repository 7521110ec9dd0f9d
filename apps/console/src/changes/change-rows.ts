import type { Json } from '#client/index.js';
import { alignedItems, type AlignedItem, isSame } from './aligned-items';
import { changedPaths, isFields, type PathChange } from './changed-paths';
import { isList, type Path, pathWords, valueAt, withheldWords } from './values';

/** A change as a reader sees it: of one place, of the items of a list, or of the rows of a table. */
export type ChangeRow =
  | ({ readonly kind: 'place' } & PathChange)
  | { readonly kind: 'items'; readonly path: Path; readonly items: readonly AlignedItem[] }
  | {
      readonly kind: 'table';
      readonly path: Path;
      readonly columns: readonly string[];
      readonly items: readonly AlignedItem[];
    };

/** Returns the changes between two values, those inside one list together. */
export function changeRows(before: Json | undefined, after: Json | undefined): ChangeRow[] {
  const rows = new Map<string, ChangeRow>();
  for (const { path } of changedPaths(before, after)) {
    const end = path.findIndex((step, depth) => endsAt(before, after, path.slice(0, depth), step));
    const place = end === -1 ? path : path.slice(0, end);
    const key = JSON.stringify(place);
    if (!rows.has(key)) rows.set(key, rowOf(place, valueAt(before, place), valueAt(after, place)));
  }
  return [...rows.values()];
}

/** True at a list, and at what is withheld: a change inside them is shown as a change of the whole. */
const endsAt = (
  before: Json | undefined,
  after: Json | undefined,
  path: Path,
  step: string | number,
): boolean =>
  typeof step === 'number' ||
  [before, after].some((value) => withheldWords(valueAt(value, path)) !== undefined);

function rowOf(path: Path, before: Json | undefined, after: Json | undefined): ChangeRow {
  if (!isList(before) || !isList(after)) return { kind: 'place', path, before, after };
  const items = alignedItems(before, after);
  const columns = columnsOf([...before, ...after]);
  return columns === undefined
    ? { kind: 'items', path, items }
    : { kind: 'table', path, columns, items };
}

/** A list of more different fields is not read as a table. */
const MOST_COLUMNS = 20;
/** A table of more cells has something in half of them at least, so that it is not much larger than its list. */
const FEW_CELLS = 400;

/** Returns the columns of a list that is read as a table. */
function columnsOf(items: readonly Json[]): readonly string[] | undefined {
  const rows = items.filter(isFields).filter((item) => withheldWords(item) === undefined);
  if (rows.length < items.length) return undefined;
  const keys = rows.flatMap((row) => Object.keys(row));
  const columns = [...new Set(keys)];
  const cells = columns.length * rows.length;
  const isFull = cells <= FEW_CELLS || cells <= 2 * keys.length;
  return columns.length <= MOST_COLUMNS && isFull ? columns : undefined;
}

/** What two values have in common, the largest equal parts. */
export function unchangedParts(
  before: Json | undefined,
  after: Json | undefined,
): { readonly path: Path; readonly value: Json }[] {
  const found: { path: Path; value: Json }[] = [];
  const compare = (path: Path, left: Json | undefined, right: Json | undefined): void => {
    if (left === undefined || right === undefined) return;
    if (isSame(left, right)) found.push({ path, value: left });
    else if (isFields(left) && isFields(right))
      for (const key of Object.keys(left).sort())
        compare([...path, key], left[key], Object.hasOwn(right, key) ? right[key] : undefined);
  };
  compare([], before, after);
  return found;
}

/** The places at which one of several values differs from another, none of them inside another one. */
export function placesOfChange(values: readonly (Json | undefined)[]): Path[] {
  const rows = values.flatMap((value, index) =>
    index === 0 ? [] : changeRows(values[index - 1], value),
  );
  const paths = new Map(rows.map(({ path }) => [pathWords(path), path]));
  return [...paths.values()].filter(
    (path) => !path.some((_, depth) => paths.has(pathWords(path.slice(0, depth)))),
  );
}
