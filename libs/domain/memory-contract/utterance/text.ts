/** Lower-cased, every run of characters outside a–z and 0–9 one space, trimmed (SPEC M6). */
export const normalText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Every run of white space one space, none at the ends. */
export const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * The first `length` characters (code points), without white space at their end and with a mark behind
 * them; a text that is no longer than that stays as it is (SPEC M11).
 */
export function cut(text: string, length: number, mark = '...'): string {
  if (text.length <= length) return text;
  const characters = [...text];
  if (characters.length <= length) return text;
  return `${characters.slice(0, length).join('').trimEnd()}${mark}`;
}
