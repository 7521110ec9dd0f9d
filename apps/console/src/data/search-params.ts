// How the parts of an address are read. What a page does not know is left out.

/** Returns the fields that have a value. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

export const oneOf = <Value>(values: readonly Value[], found: unknown): Value | undefined =>
  values.find((value) => value === found);

/** The router reads digits in an address as a number. */
export const textIn = (found: unknown): string | undefined => {
  const text = typeof found === 'number' ? String(found) : found;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** Returns a whole number that is not negative. */
export const wholeIn = (found: unknown): number | undefined => {
  const number = typeof found === 'string' && found !== '' ? Number(found) : found;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
};

/** The props of a part that shows what the address names and can change the address. */
export interface SearchProps<Search> {
  readonly search: Search;
  readonly show: (search: Search) => void;
}
