import { nearestName } from './nearest-name.js';

/** A call with an argument that is missing or of another kind. It is refused before anything is read or written. */
export class MaceArgumentError extends TypeError {
  override readonly name = 'MaceArgumentError';

  constructor(
    /** The argument, such as `threadId` or `messages[2].id`. */
    readonly argument: string,
    wanted: string,
    given: unknown,
  ) {
    super(`${argument} must be ${wanted}; it is ${kindOf(given)}.`);
  }
}

/** Names what a value is, and never what is in it. */
function kindOf(value: unknown): string {
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? 'another number' : String(value);
  if (typeof value === 'string') return 'another text';
  return typeof value === 'object' ? classOf(value) : `a ${typeof value}`;
}

/** Names the class of an object, such as `an object of the class Map`. */
export function classOf(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  if (typeof constructor !== 'function' || constructor.name === 'Object') return 'an object';
  return constructor.name === ''
    ? 'an object of a class'
    : `an object of the class ${constructor.name}`;
}

/** True for an object that is not of a class, as JSON has them. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const LONE = /\p{Surrogate}/u;

const isText = (value: unknown): value is string => typeof value === 'string';
const isName = (value: unknown): value is string => isText(value) && /^[^\u0000]+$/.test(value);
const isId = (value: unknown): boolean => isName(value) && !LONE.test(value);
const isNewId = (value: unknown): boolean =>
  isName(value) && isId(value) && value === value.normalize('NFC');
/** A path cannot have an empty part, and clients of HTTP leave out `.` and `..`. */
const isPathId = (value: unknown): boolean => isId(value) && !/^\.{0,2}$/.test(String(value));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && Array.from(value).every(isOne);

/** A header cannot have other characters, and `fetch` would refuse the request as if the network had failed. */
const isTokenText = (value: unknown): boolean => isText(value) && /^[\x21-\x7e]+$/.test(value);
const isIdempotencyKey = (value: unknown): boolean =>
  isText(value) && /^[\x21-\x7e]{1,255}$/.test(value);
const isTraceparent = (value: unknown): boolean =>
  isText(value) && /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/.test(value);
/** A timer takes no more milliseconds than these; it ends at once with more. */
const isTimerMs = (value: unknown): boolean =>
  typeof value === 'number' && value >= 1 && value <= 2 ** 31 - 1;
const isQueryValue = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  isText(value) ||
  isListOf(value, isText);

/** An address that ends in /v1 would have it twice in each path. */
const VERSIONED = /\/v1\/*$/;

const isLogPosition = (value: unknown): boolean =>
  typeof value === 'bigint' || (isText(value) && /^(?:\d+|end)$/.test(value));

function isServiceUrl(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(value);
  const isPlain = username + password + search + hash === '' && !VERSIONED.test(pathname);
  return /^https?:$/.test(protocol) && isPlain;
}

const KINDS = {
  count: ['a whole number from 0 on', (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  body: ['a plain object', isPlainObject],
  consistency: [
    'own-writes or eventual',
    (value) => value === 'own-writes' || value === 'eventual',
  ],
  function: ['a function', (value) => typeof value === 'function'],
  id: ['a text without U+0000 and half pairs', isId],
  ids: ['a list of texts without U+0000 and half pairs', (value) => isListOf(value, isId)],
  idempotencyKey: ['1 to 255 printable ASCII characters without spaces', isIdempotencyKey],
  json: [
    'JSON: null, a boolean, a number, a text, a list or an object',
    (value) => value !== undefined,
  ],
  list: ['a list', Array.isArray],
  milliseconds: ['a number of milliseconds from 1 to 2147483647', isTimerMs],
  name: ['a text without U+0000', isName],
  names: ['a list of texts without U+0000', (value) => isListOf(value, isName)],
  pathId: ['a text other than . and .., without U+0000 and half pairs', isPathId],
  newId: ['a text in Unicode NFC, without U+0000 and half pairs', isNewId],
  number: ['a number', (value) => typeof value === 'number' && !Number.isNaN(value)],
  object: ['an object', isObject],
  objects: ['a list of objects', (value) => isListOf(value, isObject)],
  logPosition: ['a position of the log: a bigint, its text, or end', isLogPosition],
  position: ['a position of the log: a bigint', (value) => typeof value === 'bigint'],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  queryValue: ['a text, a number, a boolean or a list of texts', isQueryValue],
  serviceUrl: [
    'an http or https URL without user, query, fragment and /v1, such as http://127.0.0.1:3000',
    isServiceUrl,
  ],
  signal: [
    'an AbortSignal',
    (value) =>
      isObject(value) &&
      typeof value['addEventListener'] === 'function' &&
      typeof value['aborted'] === 'boolean',
  ],
  text: ['a text', isText],
  texts: ['a list of texts', (value) => isListOf(value, isText)],
  token: [
    'a bearer token (a text of printable ASCII characters without spaces), or a function that returns one',
    (value) => typeof value === 'function' || isTokenText(value),
  ],
  tokenText: ['a text of printable ASCII characters without spaces', isTokenText],
  traceparent: [
    'a W3C trace context, such as 00-<32 hex digits>-<16 hex digits>-01',
    isTraceparent,
  ],
} as const satisfies Record<string, readonly [string, (value: unknown) => boolean]>;

/** A kind of argument; one with a question mark may be undefined. */
export type ArgumentKind = keyof typeof KINDS | `${keyof typeof KINDS}?`;

/**
 * Checks the arguments of a call, or the fields of one. @param inside the place of the fields, such as `thread`
 * @throws MaceArgumentError
 */
export function requireArguments(
  given: unknown,
  kinds: Readonly<Record<string, ArgumentKind>>,
  inside = '',
): void {
  if (!isObject(given))
    throw new MaceArgumentError(inside === '' ? 'The argument' : inside, 'an object', given);
  for (const [name, kind] of Object.entries(kinds)) {
    const value = given[name];
    if (value === undefined && kind.endsWith('?')) continue;
    const [wanted, isOne] = KINDS[kind.replace('?', '') as keyof typeof KINDS];
    const argument = inside === '' ? name : `${inside}.${name}`;
    if (!isOne(value)) throw new MaceArgumentError(argument, wanted, value);
  }
}

/** Returns the body of a request. @throws MaceArgumentError for anything but a plain object */
export function bodyOf<Body extends object>(argument: string, body: Body): Body {
  requireArguments({ [argument]: body }, { [argument]: 'body' });
  return body;
}

/** Returns an id as a part of a path. @throws MaceArgumentError for an id that no path can have */
export function pathPart(argument: string, id: string): string {
  requireArguments({ [argument]: id }, { [argument]: 'pathId' });
  return encodeURIComponent(id);
}

/**
 * Checks the options of a call, or an object of another name: each of its kind, and none that is not known, such as one
 * that is spelt wrong. @throws MaceArgumentError, which names the option that was probably meant
 */
export function requireOptions(
  options: unknown,
  kinds: Readonly<Record<string, ArgumentKind>>,
  inside = 'options',
): void {
  requireArguments(options, {}, inside);
  const known = Object.keys(kinds);
  for (const [name, value] of Object.entries(options as object))
    if (value !== undefined && !known.includes(name))
      throw new MaceArgumentError(`${inside}.${name}`, leftOut(name, known), value);
  requireArguments(options, kinds, inside);
}

function leftOut(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `left out: known are ${known.join(', ')}`
    : `left out, or be named ${nearest}`;
}
