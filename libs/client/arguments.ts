import {
  type ArgumentKind,
  isObject,
  isPlainObject,
  kindNamed,
  KINDS,
  PATH_IDS,
  type Takes,
} from './argument-kinds.js';
import { type FieldOf, type Fields, objectOf, queryFieldsOf, withFields } from './field-words.js';
import { nearestName } from './nearest-name.js';

/** A call with an argument that is missing or of another kind. It is refused before anything is read or written. */
export class MaceArgumentError extends TypeError {
  override readonly name = 'MaceArgumentError';

  constructor(
    /** The argument, such as `threadId` or `messages[2].id`. */
    readonly argument: string,
    wanted: string,
    given: unknown,
    takes?: Takes,
  ) {
    super(`${argument} must be ${wanted}; it is ${kindOf(given, takes)}.`);
  }
}

/** Names what a value is, and never what is in it. A value of the type that is wanted is another one. */
function kindOf(value: unknown, takes: Takes | undefined): string {
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'object') return classOf(value);
  const type = typeof value === 'string' ? 'text' : typeof value;
  return type === takes ? `another ${type}` : `a ${type}`;
}

/** Names the class of an object, such as `an object of the class Map`. */
export function classOf(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  if (typeof constructor !== 'function' || constructor.name === 'Object') return 'an object';
  return constructor.name === ''
    ? 'an object of a class'
    : `an object of the class ${constructor.name}`;
}

type Kinds = Readonly<Record<string, ArgumentKind>>;

const orLeftOut = (wanted: string, mayBeLeftOut: boolean): string =>
  mayBeLeftOut ? `${wanted}, or be left out` : wanted;

/** Returns an object with fields of these kinds in words. */
export const objectWith = (kinds: Kinds, object = 'an object', mayBeLeftOut = false): string => {
  const names = Object.entries(kinds).map(
    ([name, kind]) => [described(name, kind), !kind.endsWith('?')] as const,
  );
  return orLeftOut(withFields(object, names), mayBeLeftOut);
};

/** The kinds that need no words: most fields are texts. */
const PLAIN: ReadonlySet<string> = new Set(['text', 'texts', 'name', 'id']);

/** Returns the name of a field with its kind in words, unless the name says the kind. */
function described(name: string, kind: ArgumentKind): string {
  const plain = kind.replace('?', '');
  return plain === name || PLAIN.has(plain) ? name : `${name} (${kindNamed(kind)![0]})`;
}

function requireKind(argument: string, value: unknown, kind: ArgumentKind): void {
  const [wanted, isOne, takes] = kindNamed(kind)!;
  if (!isOne(value))
    throw new MaceArgumentError(argument, orLeftOut(wanted, kind.endsWith('?')), value, takes);
}

/**
 * Checks the arguments of a call, or the fields of one. @param inside the place of the fields, such as `thread`
 * @throws MaceArgumentError
 */
export function requireArguments(given: unknown, kinds: Kinds, inside = ''): void {
  if (!isObject(given))
    throw new MaceArgumentError(inside === '' ? 'The argument' : inside, objectWith(kinds), given);
  for (const [name, kind] of Object.entries(kinds)) {
    const value = given[name];
    if (value === undefined && kind.endsWith('?')) continue;
    requireKind(inside === '' ? name : `${inside}.${name}`, value, kind);
  }
}

/**
 * Returns the body, or the query, of a request. @param argument its name, with a question mark if it may be left out
 * @param without the fields that it does not have in this call
 * @throws MaceArgumentError, which names the fields, for anything but a plain object
 */
export function bodyOf<
  Of extends Fields,
  Body extends Readonly<Partial<Record<FieldOf<Of>, unknown>>>,
>(argument: string, body: Body, of: Of, without?: readonly FieldOf<Of>[]): Body {
  if (isPlainObject(body)) return body;
  const wanted = orLeftOut(objectOf(of, 'a plain object', without), argument.endsWith('?'));
  throw new MaceArgumentError(argument.replace('?', ''), wanted, body);
}

/**
 * Returns an id as a part of a path. @param kind by default that with the name of the argument
 * @throws MaceArgumentError for an id that no path can have
 */
export function pathPart(argument: string, id: string, kind?: ArgumentKind): string {
  const named = argument in PATH_IDS ? (argument as keyof typeof PATH_IDS) : 'pathId';
  requireArguments({ [argument]: id }, { [argument]: kind ?? named });
  return encodeURIComponent(id);
}

/** Checks a value of a query string. @throws MaceArgumentError, which says what the field takes */
export function requireQueryValue(path: string, name: string, value: unknown): void {
  const [wanted, isOne] = KINDS.queryValue;
  if (value === undefined || isOne(value)) return;
  const field = queryFieldsOf(path).find((one) => one.name === name);
  const takes = field === undefined ? wanted : inWords(field.takes);
  throw new MaceArgumentError(name, orLeftOut(takes, field?.isRequired !== true), value);
}

/** Returns what a field of a query string takes in words. */
function inWords(takes: string): string {
  if (takes === 'true|false') return KINDS.flag[0];
  if (takes.includes('|')) return `one of ${takes.split('|').join(', ')}`;
  const [least, most] = takes.split('-');
  if (most === '') return `a whole number from ${least} on`;
  if (most !== undefined) return `a whole number from ${least} to ${most}`;
  return kindNamed(takes)?.[0] ?? (takes === '' ? KINDS.text[0] : `the text "${takes}"`);
}

/**
 * Checks the options of a call, or an object of another name: each of its kind, and none that is not known, such as one
 * that is spelt wrong. @throws MaceArgumentError, which names the option that was probably meant
 */
export function requireOptions(options: unknown, kinds: Kinds, inside = 'options'): void {
  const mayBeLeftOut = Object.values(kinds).every((kind) => kind.endsWith('?'));
  if (!isObject(options))
    throw new MaceArgumentError(inside, objectWith(kinds, 'an object', mayBeLeftOut), options);
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !Object.hasOwn(kinds, name))
      throw new MaceArgumentError(`${inside}.${name}`, leftOut(name, kinds), value);
  requireArguments(options, kinds, inside);
}

function leftOut(name: string, kinds: Kinds): string {
  const known = Object.keys(kinds);
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `left out: known are ${known.join(', ')}`
    : `left out, or be named ${nearest}, ${kindNamed(kinds[nearest]!)![0]}`;
}
