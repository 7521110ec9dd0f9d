/**
 * Text as a key may hold it, of any length: trimmed, lower-cased, NFKD without what is not ASCII, every run
 * of other characters one `_`, none at the ends (SPEC K2).
 */
export const slug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\0-\x7f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** The first characters of a slug; cutting may not leave a `_` at the end, or normalising twice would differ. */
export const cutSlug = (of: string, length: number): string =>
  of.slice(0, length).replace(/_$/, '');

export const MAX_COMPONENT = 64;

/** A component of a key (SPEC K2). */
export const normalize = (text: string): string => cutSlug(slug(text), MAX_COMPONENT);
