import { codePoints, cutToCodePoints } from '../episode/tokens.js';

/** What may not stand in a line as it is: control and format characters, separators, and what shows nothing. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;
/** Signs within emoji, and joiners between letters of scripts that need them: each is kept. */
const NEEDED =
  /(?<=[\p{L}\p{Extended_Pictographic}\ufe0f\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])|(?<=[\p{Extended_Pictographic}\d#*])\ufe0f/gu;
const PRIVATE: Readonly<Record<string, string>> = {
  '\u200c': '\ue000',
  '\u200d': '\ue001',
  '\ufe0f': '\ue002',
};
const KEPT: ReadonlyMap<string, string> = new Map(
  Object.entries(PRIVATE).map(([sign, stand]) => [stand, sign]),
);

/**
 * Returns a text as one line: white space is folded, and invisible characters are shown by their code points, so that
 * no text can pose as another line or hide what it says.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\ue000-\ue002]/g, (character) => codeOf(character))
    .replace(NEEDED, (sign) => PRIVATE[sign]!)
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(INVISIBLE, (character) => KEPT.get(character) ?? codeOf(character));

/** True for a text in which nothing can be seen. */
export const isBlank = (text: string): boolean => text.replace(INVISIBLE, '').trim() === '';

const codeOf = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;

/** Returns one dated line of a recall's text. @param time ISO 8601 */
export const recalledLine = (time: string, text: string): string =>
  `${time.slice(0, 10)}: ${oneLine(text)}`;

const CUT = '…';

/**
 * Chooses in their order those of the lines that fit into `limit` characters together, at most `most` of them. A line
 * that is longer than half of them is cut, so that it leaves room for others; an only line has all of them.
 */
export function fitting<Line extends { readonly line: string }>(
  lines: readonly Line[],
  most: number,
  limit: number,
): readonly Line[] {
  const longest = lines.length === 1 ? limit : Math.floor(limit / 2);
  const chosen: Line[] = [];
  let used = 0;
  for (const one of lines) {
    if (chosen.length === most) break;
    const isLong = codePoints(one.line) > longest;
    const line = isLong ? `${cutToCodePoints(one.line, longest - 1)}${CUT}` : one.line;
    const length = codePoints(line) + (chosen.length === 0 ? 0 : 1);
    if (used + length > limit) continue;
    chosen.push({ ...one, line });
    used += length;
  }
  return chosen;
}
