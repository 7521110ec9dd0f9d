/**
 * Converts text to key characters, at any length: trims, lower-cases, applies NFKD, drops non-ASCII
 * characters, and turns each run of others into one `_`, but not at the ends (SPEC K2).
 */
export const slug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\0-\x7f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Cuts a slug to `length`, without a `_` at the end, so that normalising twice changes nothing. */
export const cutSlug = (of: string, length: number): string =>
  of.slice(0, length).replace(/_$/, '');

export const MAX_COMPONENT = 64;

/** Normalises text to a component of a key (SPEC K2). */
export const normalize = (text: string): string => cutSlug(slug(text), MAX_COMPONENT);
