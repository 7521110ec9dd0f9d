import type { Json } from '#client/index.js';
import { withheldOf } from '#domain/privacy/withheld.js';
import { changedPaths } from '../changes/changed-paths';
import { type ChangeRow, changeRows } from '../changes/change-rows';
import { leavesOf } from '../changes/value-fields';
import { inlineText, type Path, pathWords } from '../changes/values';
import { isEdge, numberPlaces, type Place } from './written-numbers';

/** A part of a proposed value that evidence can contain. */
export interface SoughtPart {
  readonly path: Path;
  readonly value: string | number | boolean;
  /** The name of the field that has the value, else the attribute of the fact. */
  readonly name: string;
}

/** More parts are not looked for, so that no value blocks the page. */
const MAX_SOUGHT = 200;

/** The texts, numbers and truth values that a proposal would put in place of those in `before`. */
export function soughtParts(
  before: Json | undefined,
  after: Json,
  attribute: string,
): SoughtPart[] {
  return changeRows(before, after)
    .flatMap(putBy)
    .flatMap(({ path, value }) => [...leavesOf(value, path)])
    .flatMap(({ path, value }) => {
      const name = path.findLast((step) => typeof step === 'string') ?? attribute;
      return isSought(value) ? [{ path, value, name }] : [];
    })
    .slice(0, MAX_SOUGHT);
}

/** What a change puts in: in a list, what is new in its items. */
function putBy(row: ChangeRow): { readonly path: Path; readonly value: Json }[] {
  const changes =
    row.kind === 'place'
      ? [row]
      : row.items.flatMap((item) =>
          changedPaths(item.before, item.after).map(({ path, after }) => ({
            ...{ path: [...row.path, ...path], after },
          })),
        );
  return changes.flatMap(({ path, after }) =>
    after === undefined ? [] : [{ path, value: after }],
  );
}

const isSought = (value: Json): value is SoughtPart['value'] =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.trim() !== '' && !isHeld(value));

const isHeld = (value: string): boolean => withheldOf(value) !== undefined;

/** Names a part: `limit_eur 500`, or `500` for the whole value. */
export const partWords = ({ path, value }: SoughtPart): string =>
  [pathWords(path), inlineText(value)].filter((text) => text !== '').join(' ');

/** More places of a text are not marked. */
const MAX_PLACES = 500;
/** A longer text is not marked where the evidence has it. */
const MAX_MARKED = 2_000;

/**
 * Where a text has parts, at least the first places: a number in any common notation, a text as a whole word, of a truth
 * value its name.
 */
export function placesOf(text: string, parts: readonly SoughtPart[]): Place[] {
  const numbers = parts.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  const words = new Set(parts.flatMap(wordsOf).filter((each) => each.length <= MAX_MARKED));
  const places = numbers.length === 0 ? [] : numberPlaces(text, numbers).slice(0, MAX_PLACES);
  for (const each of words) {
    if (places.length >= MAX_PLACES) break;
    places.push(...textPlaces(text, each, MAX_PLACES - places.length));
  }
  return places;
}

/** The texts that stand for a part. */
function wordsOf({ value, name }: SoughtPart): string[] {
  if (typeof value === 'number') return [];
  if (typeof value === 'string') return [value.trim()];
  return stemsOf(name).flatMap((stem) => [stem, `${stem}s`]);
}

/** The words of a name in the singular, without the short ones. */
const stemsOf = (name: string): readonly string[] =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => word.replace(/s$/, ''));

function textPlaces(text: string, value: string, most: number): Place[] {
  const [within, sought] = inOneCase(text, value);
  const places: Place[] = [];
  for (
    let at = within.indexOf(sought);
    at !== -1 && places.length < most;
    at = within.indexOf(sought, at + sought.length)
  ) {
    const end = at + sought.length;
    if (isEdge(within, at) && isEdge(within, end)) places.push({ start: at, end });
  }
  return places;
}

/** Both texts in lower case, unless that would move the places of a text. */
function inOneCase(text: string, value: string): readonly [string, string] {
  const lower = text.toLowerCase();
  return lower.length === text.length ? [lower, value.toLowerCase()] : [text, value];
}

/** Where a text has comments of HTML, which a browser does not show. */
export function commentPlaces(text: string): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf('<!--'); start !== -1;) {
    const close = text.indexOf('-->', start);
    const end = close === -1 ? text.length : close + 3;
    places.push({ start, end });
    start = text.indexOf('<!--', end);
  }
  return places;
}
