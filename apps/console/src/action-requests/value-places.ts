import type { Json } from '#client/index.js';
import { changedPaths } from '../changes/changed-paths';
import { type ChangeRow, changeRows } from '../changes/change-rows';
import { leavesOf } from '../changes/value-fields';
import { inlineText, type Path, pathWords } from '../changes/values';

/** A part of a proposed value that evidence can contain. */
export interface SoughtPart {
  readonly path: Path;
  readonly value: string | number;
}

/** From `start` to before `end`, in characters of a text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** More parts are not looked for, so that no value blocks the page. */
const MAX_SOUGHT = 200;

/** The texts and numbers that a proposal would put in place of those in `before`. */
export function soughtParts(before: Json | undefined, after: Json): SoughtPart[] {
  return changeRows(before, after)
    .flatMap(putBy)
    .flatMap(({ path, value }) => [...leavesOf(value, path)])
    .flatMap(({ path, value }) => (isSought(value) ? [{ path, value }] : []))
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

const isSought = (value: Json): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !isHeld(value));

const isHeld = (value: string): boolean => value.startsWith('[REDACTED:');

/** Names a part: `limit_eur 500`, or `500` for the whole value. */
export const partWords = ({ path, value }: SoughtPart): string =>
  [pathWords(path), inlineText(value)].filter((text) => text !== '').join(' ');

/** Where a text has a value: a number in any common notation, a text as a whole word, in any case. */
export const placesOf = (text: string, value: string | number): Place[] =>
  typeof value === 'number' ? numberPlaces(text, value) : textPlaces(text, value.trim());

const NUMBER = /\d+(?:[.,:’'\u00A0\u202F]\d+)*/g;
const DATE = /\d{4}-\d\d-\d\d/g;

function numberPlaces(text: string, value: number): Place[] {
  const size = Math.abs(value);
  const undated = text.replace(DATE, (date) => ' '.repeat(date.length));
  return [...undated.matchAll(NUMBER)].flatMap(({ 0: written, index }) =>
    isEdge(undated, index) && readingsOf(written).includes(size)
      ? [{ start: index, end: index + written.length }]
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

function textPlaces(text: string, value: string): Place[] {
  const [within, sought] = inOneCase(text, value);
  const places: Place[] = [];
  for (
    let at = within.indexOf(sought);
    at !== -1;
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

/** True if no word goes across this place. */
const isEdge = (text: string, at: number): boolean =>
  !WORD.test(text.charAt(at - 1)) || !WORD.test(text.charAt(at));

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
