import type { Json } from '#client/index.js';
import { isFields, type PathChange } from './changed-paths';

export type Path = PathChange['path'];

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A place of a path in a value; undefined if the value has nothing there. */
export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((at, step) => {
    if (isList(at)) return typeof step === 'number' ? at[step] : undefined;
    return isFields(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);

/** A key that needs no quotes in the name of a place. */
const PLAIN_KEY = /^[\p{L}\p{N}_-]+$/u;

/** Names a place: `retry.waits[2].read_ms`; empty for the whole value. Different places have different names. */
export const pathWords = (path: Path): string =>
  path.reduce<string>((words, step) => {
    if (typeof step === 'number') return `${words}[${step}]`;
    if (!PLAIN_KEY.test(step)) return `${words}[${JSON.stringify(step)}]`;
    return words === '' ? step : `${words}.${step}`;
  }, '');

/** Why a value is not shown (SPEC P3, P8); undefined for one that is. */
export function withheldWords(value: Json | undefined): string | undefined {
  if (typeof value === 'string') {
    const redacted = /^\[REDACTED:([a-z_,]+)\]$/.exec(value);
    return redacted === null ? undefined : `Redacted: ${wordsOf(redacted[1] ?? '')}`;
  }
  if (!isFields(value)) return undefined;
  if (value['erased'] === true) return 'Erased';
  const state = value['redacted'] === true ? 'Redacted' : value['sealed'] === true && 'Sealed';
  if (state === false) return undefined;
  const { type } = value;
  return typeof type === 'string' ? `${state}: ${wordsOf(type)}` : state;
}

const wordsOf = (type: string): string => type.replaceAll('_', ' ').replaceAll(',', ', ');

/** True if something in a value is not shown, so that it cannot be compared. */
export function hasWithheld(value: Json | undefined): boolean {
  if (withheldWords(value) !== undefined) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasWithheld);
}

/** A scalar as a reader sees it; in quotes if the bare text would hide its ends. */
export const scalarText = (value: Json): string =>
  typeof value === 'string' && value !== '' && value.trim() === value
    ? value
    : JSON.stringify(value);

/** A value in one line: `from: 06:30, until: 10:00`. */
export function inlineText(value: Json): string {
  const withheld = withheldWords(value);
  if (withheld !== undefined) return withheld;
  if (isList(value)) return value.length === 0 ? '[]' : value.map(nestedText).join(', ');
  if (!isFields(value)) return scalarText(value);
  const parts = Object.entries(value).map(([name, part]) => `${name}: ${nestedText(part)}`);
  return parts.length === 0 ? '{}' : parts.join(', ');
}

function nestedText(value: Json): string {
  const text = inlineText(value);
  if (isList(value) && value.length > 0) return `[${text}]`;
  return isFields(value) && withheldWords(value) === undefined && text !== '{}'
    ? `{${text}}`
    : text;
}

/** How many times the old number the new one is: `×10`; undefined if that says nothing. */
export function factorWords(before: Json | undefined, after: Json | undefined): string | undefined {
  if (typeof before !== 'number' || typeof after !== 'number') return undefined;
  if (before === 0 || after === 0) return undefined;
  if (before < 0 !== after < 0) return 'changes its sign';
  const factor = Number((after / before).toPrecision(3));
  return factor === 1
    ? undefined
    : `×${factor.toLocaleString('en', { maximumSignificantDigits: 3 })}`;
}
