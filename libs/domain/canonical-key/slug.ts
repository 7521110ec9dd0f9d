/**
 * Converts text of any length to the characters of a key: trims it, lower-cases it, applies NFKD, drops
 * non-ASCII characters, and replaces each run of characters that a key does not allow by one `_`; such a
 * run at either end is removed (SPEC K2).
 */
export const slug = (text: string): string => openSlug(text).replace(/_$/, '');

/** The same for the beginning of a text: a `_` at its end stays, because the next word may follow. */
export const openSlug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\0-\x7f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '');

/** Cuts a slug to `length`, and removes a `_` at the end, so that normalising the result changes nothing. */
export const cutSlug = (of: string, length: number): string =>
  of.slice(0, length).replace(/_$/, '');

export const MAX_COMPONENT = 64;

/** Normalises text to one part of a key (SPEC K2). */
export const normalize = (text: string): string => cutSlug(slug(text), MAX_COMPONENT);
