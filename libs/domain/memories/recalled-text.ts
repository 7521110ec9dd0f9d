import { codePoints, cutToCodePoints } from '../episode/tokens.js';

/** What may not stand in a line as it is: control and format characters, separators, and what shows nothing. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5]/gu;
/** Characters of emoji and of scripts that need them between letters. */
const JOINERS =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;
const KEPT_JOINER = { '\u200c': '\ue000', '\u200d': '\ue001' } as Readonly<Record<string, string>>;

/**
 * Returns a text as one line: white space is folded, and invisible characters are shown by their code points, so that
 * no text can pose as another line or hide what it says.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\ue000\ue001]/g, (character) => codeOf(character))
    .replace(JOINERS, (joiner) => KEPT_JOINER[joiner]!)
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(INVISIBLE, (character) =>
      character === '\ue000' ? '\u200c' : character === '\ue001' ? '\u200d' : codeOf(character),
    );

const codeOf = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;

/** Returns one dated line of a recall's text. @param time ISO 8601 */
export const recalledLine = (time: string, text: string): string =>
  `${time.slice(0, 10)}: ${oneLine(text)}`;

const CUT = '…';

/**
 * Chooses in their order those of the lines that fit into `limit` characters together, at most `most` of them. The first
 * line is cut if it alone does not fit.
 */
export function fitting<Line extends { readonly line: string }>(
  lines: readonly Line[],
  most: number,
  limit: number,
): readonly Line[] {
  const chosen: Line[] = [];
  let used = 0;
  for (const one of lines) {
    if (chosen.length === most) break;
    const length = codePoints(one.line) + (chosen.length === 0 ? 0 : 1);
    if (used + length <= limit) {
      chosen.push(one);
      used += length;
    } else if (chosen.length === 0) {
      const line = `${cutToCodePoints(one.line, limit - 1)}${CUT}`;
      chosen.push({ ...one, line });
      used = limit;
    }
  }
  return chosen;
}
