import type { Json } from '#client/index.js';
import { FINDING_TYPES } from '#domain/privacy/finding.js';
import { withheldOf } from '#domain/privacy/withheld.js';
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
  const withheld = withheldOf(value);
  if (withheld === undefined) return undefined;
  return withheld.state === 'erased'
    ? 'Erased'
    : `Redacted: ${withheld.types.map(typeWords).join(', ')}`;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set([...FINDING_TYPES, 'bytes', 'cannot_scan']);

/** A type of personal data in words. One of an outside recogniser can be any name, so it stands in quotes. */
const typeWords = (type: string): string =>
  KNOWN_TYPES.has(type) ? type.replaceAll('_', ' ') : JSON.stringify(type);

/** True if something in a value is not shown, so that it cannot be compared. */
export const hasWithheld = (value: Json | undefined): boolean =>
  hasPart(value, (part) => withheldOf(part) !== undefined);

/** True if something in a value is redacted, so that some readers may read it unredacted. */
export const hasRedacted = (value: Json | undefined): boolean =>
  hasPart(value, (part) => withheldOf(part)?.state === 'redacted');

const hasPart = (value: Json | undefined, test: (part: Json | undefined) => boolean): boolean =>
  test(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((part: Json | undefined) => hasPart(part, test)));

/**
 * A scalar as a reader sees it: a text in quotes if the bare one would hide its ends, or would look like a number or
 * another value that is not a text.
 */
export const scalarText = (value: Json): string =>
  typeof value === 'string' && !hidesEnds(value) && !isJson(value) ? value : JSON.stringify(value);

/** True for a line with white space around it. The last line break of a longer text has no meaning. */
const hidesEnds = (text: string): boolean => {
  const inner = text.trim();
  return inner === '' || (inner !== text && !inner.includes('\n'));
};

function isJson(text: string): boolean {
  if (!/^["[\]{}tfn\d-]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The key of a field as a reader sees it: in quotes if the bare one could look like two fields, or like a place. */
export const keyText = (key: string): string =>
  key === '' || key.trim() !== key || /[:,"[\]{}\p{Cc}\p{Zl}\p{Zp}]|^\d+$/u.test(key)
    ? JSON.stringify(key)
    : key;

/** A value in one line: `from: 06:30, until: 10:00`. */
export function inlineText(value: Json): string {
  const withheld = withheldWords(value);
  if (withheld !== undefined) return withheld;
  if (isList(value)) return value.length === 0 ? '[]' : value.map(nestedText).join(', ');
  if (!isFields(value)) return scalarText(value);
  const parts = Object.entries(value).map(([key, part]) => `${keyText(key)}: ${nestedText(part)}`);
  return parts.length === 0 ? '{}' : parts.join(', ');
}

function nestedText(value: Json): string {
  if (typeof value === 'string' && withheldWords(value) === undefined) return partText(value);
  const text = inlineText(value);
  if (isList(value) && value.length > 0) return `[${text}]`;
  return isFields(value) && withheldWords(value) === undefined && text !== '{}'
    ? `{${text}}`
    : text;
}

/** A text among others in a line: in quotes if the next part could be taken for its end. */
const partText = (text: string): string =>
  /[,"[\]{}\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? JSON.stringify(text) : scalarText(text);

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
