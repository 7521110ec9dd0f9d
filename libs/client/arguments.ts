/** A call with an argument that is missing or of another kind. It is refused before anything is read or written. */
export class MaceArgumentError extends Error {
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
  return typeof value === 'string' ? 'another text' : `of the type ${typeof value}`;
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

const KINDS = {
  count: ['a whole number from 0 on', (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  function: ['a function', (value) => typeof value === 'function'],
  id: ['a text without U+0000 and half pairs', isId],
  ids: ['a list of texts without U+0000 and half pairs', (value) => isListOf(value, isId)],
  list: ['a list', Array.isArray],
  name: ['a text without U+0000', isName],
  names: ['a list of texts without U+0000', (value) => isListOf(value, isName)],
  pathId: ['a text other than . and .., without U+0000 and half pairs', isPathId],
  newId: ['a text in Unicode NFC, without U+0000 and half pairs', isNewId],
  number: ['a number', (value) => typeof value === 'number' && !Number.isNaN(value)],
  object: ['an object', isObject],
  objects: ['a list of objects', (value) => isListOf(value, isObject)],
  text: ['a text', isText],
  texts: ['a list of texts', (value) => isListOf(value, isText)],
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

/** Returns an id as a part of a path. @throws MaceArgumentError for an id that no path can have */
export function pathPart(argument: string, id: string): string {
  requireArguments({ [argument]: id }, { [argument]: 'pathId' });
  return encodeURIComponent(id);
}

/** Refuses the options that a call does not know, such as one that is spelt wrong. @throws MaceArgumentError */
export function requireKnownOptions(options: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !known.includes(name))
      throw new MaceArgumentError(
        `options.${name}`,
        'left out, as this call has no such option',
        value,
      );
}
