import { endOfString } from '#bounded/bounded-json.js';
import { isUtf8 } from 'node:buffer';
import { uncarriable } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import { finished, type Slices } from '#domain/slices.js';

/** The maximum depth of a body. A deeper one is refused before it is parsed. */
export const MAX_DEPTH = 100;
/** The maximum number of names and values of a body. All work on a body grows with them, not only with its bytes. */
export const MAX_VALUES = 100_000;
/** The maximum characters of a number. A double needs at most 25; the limit leaves room for trailing zeros. */
const MAX_NUMBER = 400;

const refuse = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const ZERO = 0x30;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** True for digits and for `.`, `+`, `-`, `E` and `e`. */
const continuesNumber = (code: number): boolean =>
  isDigit(code) ||
  code === 0x2e ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x45 ||
  code === 0x65;
const opens = (code: number): boolean => code === 0x7b || code === 0x5b;
const closes = (code: number): boolean => code === 0x7d || code === 0x5d;

/** A regular expression would try each run of zeros again from each of its zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return digits.slice(0, end);
}

/** Returns the significant digits of a decimal number and the exponent of the last of them. */
function decimalOf(number: string): string {
  const [, integer = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${integer}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Every decimal number of at most this many characters, without an exponent, survives as a double. */
const SAFE_LENGTH = 15;

/** True if a number would be stored as another number, because a double is too small or too coarse for it. */
const isInexact = (number: string): boolean =>
  (number.length > SAFE_LENGTH || /[eE]/.test(number)) &&
  decimalOf(number) !== decimalOf(String(Number(number)));

/** The result of `scanText`. */
interface TextScan {
  /** The number of keys, including repeated ones. */
  readonly keys: number;
  readonly hasInexactNumber: boolean;
}

/** Scans a text in one pass; refuses deep nesting, too many values, and long numbers. */
function scanText(text: string): TextScan {
  let keys = 0;
  // A value stands after each comma, colon and opening bracket, and a name before each colon.
  let values = 1;
  let depth = 0;
  let hasInexactNumber = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON) {
      keys += 1;
      values += 1;
    } else if (code === COMMA) values += 1;
    else if (closes(code)) depth -= 1;
    else if (opens(code)) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) throw refuse(`the body is nested deeper than ${MAX_DEPTH}`);
    } else if (isDigit(code)) {
      const start = index;
      while (continuesNumber(text.charCodeAt(index + 1))) index += 1;
      if (index - start >= MAX_NUMBER)
        throw refuse(`the body holds a number of more than ${MAX_NUMBER} characters`);
      hasInexactNumber ||= isInexact(text.slice(start, index + 1));
    }
    if (values > MAX_VALUES)
      throw refuse(`the body has more than ${MAX_VALUES} names and values; send them in parts`);
  }
  return { keys, hasInexactNumber };
}

interface Scan {
  keys: number;
  carriable: boolean;
}

/**
 * Counts the keys of a value, and looks for values that JCS or Postgres cannot hold (SPEC I5).
 * @param hasEscapes whether the text contains `\u` escapes; without them, strings and keys are valid.
 */
function walk(value: unknown, scan: Scan, hasEscapes: boolean): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      scan.carriable = false;
  } else if (typeof value === 'string') {
    if (hasEscapes && !(value.isWellFormed() && !value.includes('\u0000'))) scan.carriable = false;
  } else if (Array.isArray(value)) {
    for (const item of value) walk(item, scan, hasEscapes);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      scan.keys += 1;
      if (hasEscapes) walk(key, scan, hasEscapes);
      walk((value as Record<string, unknown>)[key], scan, hasEscapes);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('the body is not JSON');
  }
}

/**
 * Parses a request's body, or refuses it with INVALID_INPUT: bytes that are not UTF-8, text that is not
 * JSON, deep nesting, too many values, long numbers, duplicate keys, and values that JCS or Postgres cannot hold (SPEC I5, F4).
 * `JSON.parse` keeps the last of two equal keys, so a key repeats if and only if the text has more keys
 * than the parsed value. A number that a double cannot hold exactly would be stored as another number.
 * Keys such as `__proto__` become ordinary own properties. An empty body is an empty object.
 */
export const parseStrictJson = (bytes: Buffer, options?: StrictJsonOptions): unknown =>
  finished(strictJsonOf(bytes, options));

export interface StrictJsonOptions {
  /** True if the reader of the body replaces characters that cannot be stored itself. */
  readonly hasAnyText?: boolean;
}

/** The same as `parseStrictJson`, in slices. */
export function* strictJsonOf(
  bytes: Buffer,
  { hasAnyText = false }: StrictJsonOptions = {},
): Slices<unknown> {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw refuse('the body is not UTF-8');
  const text = bytes.toString('utf8');
  const { keys, hasInexactNumber } = scanText(text);
  yield;
  const value = parse(text);
  yield;
  const scan: Scan = { keys: 0, carriable: true };
  // Raw control characters and broken UTF-8 are refused above, so only a `\u` escape can still produce
  // an invalid character.
  walk(value, scan, !hasAnyText && text.includes('\\u'));
  if (!scan.carriable)
    throw refuse(uncarriable(value, MAX_DEPTH) ?? 'the body holds what JSON cannot carry');
  if (scan.keys !== keys) throw refuse('the body repeats a key');
  if (hasInexactNumber)
    throw refuse('the body holds a number that a double cannot hold exactly; send it as a string');
  return value;
}
