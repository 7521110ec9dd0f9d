import { closes, endOfString, opens } from '#bounded/bounded-json.js';
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

/** The advice for a body without fields. */
export const SEND_JSON =
  'Send the fields as one JSON object in the body, with the header Content-Type: application/json.';

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

/** Every decimal number of at most so many digits, times ten to an exponent of this size, survives as a double. */
const SAFE_NUMBER = /^[\d.]{1,15}(?:[eE][+-]?[01]?\d{1,2})?$/;

/** True if a number would be stored as another number, because a double is too small or too coarse for it. */
function isInexact(number: string): boolean {
  if (SAFE_NUMBER.test(number)) return false;
  const stored = String(Number(number));
  return stored !== number && decimalOf(number) !== decimalOf(stored);
}

/** The reader pauses after so many characters of the text, or so many of its values. */
const PAUSE_CHARACTERS = 16_384;
const PAUSE_VALUES = 1_024;

/** The result of `scanText`. */
interface TextScan {
  /** The number of keys, including repeated ones. */
  readonly keys: number;
  readonly hasInexactNumber: boolean;
}

/** Scans a text in one pass; refuses deep nesting, too many values, and long numbers. */
function* scanText(text: string): Slices<TextScan> {
  let keys = 0;
  // A value stands after each comma, colon and opening bracket, and a name before each colon.
  let values = 1;
  let depth = 0;
  let hasInexactNumber = false;
  let pauseAt = PAUSE_CHARACTERS;
  for (let index = 0; index < text.length; index += 1) {
    if (index >= pauseAt) {
      pauseAt = index + PAUSE_CHARACTERS;
      yield;
    }
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

/** The result of `scanValue`. */
interface ValueScan {
  readonly keys: number;
  readonly isCarriable: boolean;
}

/**
 * Counts the keys of a value, and looks for values that JCS or Postgres cannot hold (SPEC I5).
 * @param hasEscapes whether the text contains `\u` escapes; without them, strings and keys are valid.
 */
function* scanValue(value: unknown, hasEscapes: boolean): Slices<ValueScan> {
  let keys = 0;
  let isCarriable = true;
  const checkText = (text: string): void => {
    if (hasEscapes && !(text.isWellFormed() && !text.includes('\u0000'))) isCarriable = false;
  };
  const waiting = [value];
  for (let count = 1; waiting.length > 0; count += 1) {
    if (count % PAUSE_VALUES === 0) yield;
    const next = waiting.pop();
    if (typeof next === 'number') {
      if (!Number.isFinite(next) || (Number.isInteger(next) && !Number.isSafeInteger(next)))
        isCarriable = false;
    } else if (typeof next === 'string') checkText(next);
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (typeof next === 'object' && next !== null)
      for (const key of Object.keys(next)) {
        keys += 1;
        checkText(key);
        waiting.push((next as Record<string, unknown>)[key]);
      }
  }
  return { keys, isCarriable };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('the body is not JSON').teaching({
      instead: `${SEND_JSON} JSON has names and texts in double quotes, and no comma after the last one.`,
    });
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
  const { keys, hasInexactNumber } = yield* scanText(text);
  yield;
  const value = parse(text);
  yield;
  // Raw control characters and broken UTF-8 are refused above, so only a `\u` escape can still produce
  // an invalid character.
  const scan = yield* scanValue(value, !hasAnyText && text.includes('\\u'));
  if (!scan.isCarriable)
    throw refuse(uncarriable(value, MAX_DEPTH) ?? 'the body holds what JSON cannot carry');
  if (scan.keys !== keys)
    throw refuse('the body repeats a key').teaching({
      instead: 'Give each name of an object once.',
    });
  if (hasInexactNumber)
    throw refuse('the body holds a number that a double cannot hold exactly; send it as a string');
  return value;
}
