import type { Json } from '#client/index.js';

/** Returns a value in one line: a text as it is, everything else as JSON. */
export const lineOf = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Returns a value as a text is read: a text as it is, everything else as JSON with a line for each part. */
export const textOf = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
