import type { Json } from '#client/index.js';
import { lineOf } from '../ui/value-text';
import { changedPaths, type PathChange } from './changed-paths';
import { hasWithheld, inlineText, pathWords, withheldWords } from './values';

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
}

/** The most characters of a text that is shown of each side. */
const SHOWN = 160;
/** So much of what both sides begin with is kept before their first difference. */
const LEAD = 12;

/** Returns the differences, shortened; none if the values are equal. */
export function shownChanges(before: Json, after: Json): readonly ShownChange[] {
  const isWithheld = [before, after].some((side) => withheldWords(side) !== undefined);
  const changes = changedPaths(before, after);
  if (isWithheld && changes.length > 0) return [shownChange({ path: [], before, after })];
  return changes.map(shownChange);
}

/** Returns a value alone, shortened. */
export const shownValue = (value: Json, isNew: boolean): readonly ShownChange[] => [
  { path: '', after: cut(wordsOf(value), 0), ...(isNew ? { isNew } : {}) },
];

function shownChange({ path, before, after }: PathChange): ShownChange {
  const [old, next] = [before, after].map((side) =>
    side === undefined ? undefined : wordsOf(side),
  );
  const from = Math.max(0, sameStart(old ?? '', next ?? '') - LEAD);
  const start = Math.max(old?.length ?? 0, next?.length ?? 0) > SHOWN ? from : 0;
  return {
    path: pathWords(path),
    ...(old === undefined ? {} : { before: cut(old, start) }),
    ...(next === undefined ? {} : { after: cut(next, start) }),
  };
}

/** A value in one line; what is withheld is said in words. */
const wordsOf = (value: Json): string => (hasWithheld(value) ? inlineText(value) : lineOf(value));

const cut = (text: string, start: number): string =>
  `${start > 0 ? '… ' : ''}${text.slice(start, start + SHOWN)}${text.length > start + SHOWN ? ' …' : ''}`;

function sameStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
