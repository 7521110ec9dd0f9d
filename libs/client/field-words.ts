import { EXAMPLES, REQUEST_FIELDS } from './request-fields.js';

/** A request, or an object in one, whose fields a caller of the SDK fills in. */
export type Fields = keyof typeof REQUEST_FIELDS;

type Each<Words> = Words extends `${infer First} ${infer Rest}` ? First | Each<Rest> : Words;
type NameIn<Field> = Field extends `${infer Name}!${string}`
  ? Name
  : Field extends `${infer Name}:${string}`
    ? Name
    : Field;

/** The name of a field. */
export type FieldOf<Of extends Fields> = NameIn<Each<(typeof REQUEST_FIELDS)[Of]>>;

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** What a field of a query string takes, such as `1-500`; empty for any text. */
  readonly takes: string;
}

const fieldsOf = (fields: string): readonly Field[] =>
  fields.split(' ').map((field) => {
    const [name = '', takes = ''] = field.split(':');
    return { name: name.replace('!', ''), isRequired: name.endsWith('!'), takes };
  });

/** Returns an object in words: `a plain object with text, and if you like tags`. */
export function withFields(object: string, names: readonly (readonly [string, boolean])[]): string {
  const namesOf = (required: boolean): string =>
    names.flatMap(([name, isRequired]) => (isRequired === required ? [name] : [])).join(', ');
  const [required, optional] = [namesOf(true), namesOf(false)];
  if (required === '' && names.length > 1) return `${object} with any of ${optional}`;
  const without = required === '' ? object : `${object} with ${required}`;
  const joint = required === '' ? ', if you like with ' : ', and if you like ';
  return optional === '' ? without : without + joint + optional;
}

/** Returns the object with these fields in words. @param without the fields that it does not have here */
export const objectOf = <Of extends Fields>(
  of: Of,
  object = 'a plain object',
  without: readonly FieldOf<Of>[] = [],
): string =>
  withFields(
    object + exampleOf(EXAMPLES[of], without),
    fieldsOf(REQUEST_FIELDS[of])
      .filter(({ name }) => !(without as readonly string[]).includes(name))
      .map((field) => [withType(field), field.isRequired]),
  );

/** The types of fields in words. */
export const TYPES = { list: 'a list', object: 'an object', number: 'a number' } as const;
const TAKEN: Readonly<Record<string, string>> = {
  ...TYPES,
  moment: 'a time of RFC 3339, or the position of an event, as a text',
  time: 'a time of RFC 3339',
};

/** Returns the name of a field with its type, or with the words of which it takes one. */
function withType({ name, takes }: Field): string {
  const type = /^\d+-/.test(takes)
    ? 'a whole number'
    : takes.includes('|')
      ? takes.split('|').join(' or ')
      : TAKEN[takes];
  return type === undefined ? name : `${name} (${type})`;
}

/** Returns an example as a program writes it, such as ` such as { text: "…" },`; nothing without one. */
function exampleOf(example: object | undefined, without: readonly string[]): string {
  const shown = Object.entries(example ?? {}).filter(([name]) => !without.includes(name));
  const fields = shown.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return fields.length === 0 ? '' : ` such as { ${fields.join(', ')} },`;
}

/** True for `GET /v1/jobs/{seed}` and the path of any job. */
function isOfRoute(path: string, route: string): boolean {
  const [parts, pattern] = [path.split('/'), route.split('/')];
  const isSame = (part: string, place: number): boolean =>
    part.startsWith('{') ? parts[place] !== '' : part === parts[place];
  return parts.length === pattern.length && pattern.every(isSame);
}

/** Returns the fields of the query string of a GET; none for a path without a query string. */
export function queryFieldsOf(path: string): readonly Field[] {
  const asked = `GET ${path}`;
  const routes = Object.entries(REQUEST_FIELDS);
  const found =
    routes.find(([route]) => route === asked) ?? routes.find(([route]) => isOfRoute(asked, route));
  return found === undefined ? [] : fieldsOf(found[1]);
}
