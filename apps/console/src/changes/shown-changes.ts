import type { Json } from '#client/index.js';
import { lineOf } from '../ui/value-text';
import { changedPaths, type PathChange } from './changed-paths';
import { hasWithheld, inlineText, pathWords, scalarText, withheldWords } from './values';

/** One difference between two values, as texts of one line. */
export interface ShownChange {
  /** Where the values differ, such as `limits.read_ms`; empty for the whole value. */
  readonly path: string;
  /** undefined if there was nothing, or if it is not known what was there. */
  readonly before?: string;
  /** undefined if there will be nothing. */
  readonly after?: string;
  /** True if nothing is there before. */
  readonly isNew?: true;
  /** True if a text is shortened. */
  readonly isCut?: true;
}

/** The most characters of a text that is shown of each side. */
const SHOWN = 160;
/** So much of what both sides begin with is kept before their first difference. */
const LEAD = 12;
/** The most differences of one value that are listed. */
export const MOST_LISTED = 20;

/** Returns the differences, shortened; none if the values are equal. */
export function shownChanges(before: Json, after: Json): readonly ShownChange[] {
  const isWithheld = [before, after].some((side) => withheldWords(side) !== undefined);
  const changes = changedPaths(before, after);
  if (isWithheld && changes.length > 0) return [shownChange({ path: [], before, after })];
  return changes.map(shownChange);
}

/** Returns a value alone, shortened. */
export function shownValue(value: Json, isNew: boolean): readonly ShownChange[] {
  const text = sideText(value);
  return [{ path: '', after: cut(text, 0), ...(isNew ? { isNew } : {}), ...cutMark(text) }];
}

/** True if a list of these differences leaves nothing out. */
export const isShownInFull = (changes: readonly ShownChange[]): boolean =>
  changes.length <= MOST_LISTED && changes.every(({ isCut = false }) => !isCut);

function shownChange({ path, before, after }: PathChange): ShownChange {
  const [old, next] = [before, after].map((side) =>
    side === undefined ? undefined : sideText(side),
  );
  const from = Math.max(0, sameStart(old ?? '', next ?? '') - LEAD);
  const start = isLong(old) || isLong(next) ? from : 0;
  return {
    path: pathWords(path),
    ...(old === undefined ? {} : { before: cut(old, start) }),
    ...(next === undefined ? {} : { after: cut(next, start) }),
    ...cutMark(old, next),
  };
}

/** A text in a form that no other value has, everything else as JSON. What is withheld is said in words. */
function sideText(value: Json): string {
  if (hasWithheld(value)) return inlineText(value);
  return typeof value === 'string' ? scalarText(value) : lineOf(value);
}

const isLong = (text = ''): boolean => text.length > SHOWN;

const cutMark = (...texts: readonly (string | undefined)[]): Pick<ShownChange, 'isCut'> =>
  texts.some(isLong) ? { isCut: true } : {};

const cut = (text: string, start: number): string =>
  `${start > 0 ? '… ' : ''}${text.slice(start, start + SHOWN)}${text.length > start + SHOWN ? ' …' : ''}`;

function sameStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
