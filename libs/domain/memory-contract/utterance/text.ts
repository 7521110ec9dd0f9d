/**
 * Returns a text lower-cased and trimmed, with each run of characters outside a–z and 0–9 replaced by one
 * space (SPEC M6).
 */
export const normalText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Returns a text trimmed, with each run of white space replaced by one space. */
export const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Cuts a text to its first `length` characters (code points), removes white space at the end and adds
 * `mark`. A text of at most `length` characters is returned unchanged (SPEC M11).
 */
export function cut(text: string, length: number, mark = '...'): string {
  if (text.length <= length) return text;
  const characters = [...text];
  if (characters.length <= length) return text;
  return `${characters.slice(0, length).join('').trimEnd()}${mark}`;
}
