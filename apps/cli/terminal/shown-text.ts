const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a stored text as one line of a terminal. A character that a terminal obeys, or that nobody sees, is shown by its
 * code.
 */
export const shownText = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(UNSEEN, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);

/** Returns a text that is at most so many characters long, with an ellipsis if it was cut. */
export function shortened(text: string, most: number): string {
  const characters = [...shownText(text)];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most).join('')}…`;
}
