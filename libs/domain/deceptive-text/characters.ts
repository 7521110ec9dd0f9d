/**
 * Controls, formats, directions, variation selectors, what Unicode lets a display leave out, and signs without ink; not the
 * usual white space. The signs are in the blocks of Braille, Tifinagh, Brahmi, music, Egyptian and Khitan.
 */
export const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u2D7F\u{1107F}\u{1D159}\u{13441}\u{13442}\u{16FE4}]|[^\S \n\t\r]/u;

/** Letters of these scripts look like Latin ones. */
export const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Canadian_Aboriginal}\p{Script=Deseret}\p{Script=Tifinagh}\p{Script=Gothic}\p{Script=Old_Italic}\p{Script=Carian}\p{Script=Lycian}\p{Script=Lydian}\p{Script=Osage}\p{Script=Warang_Citi}\p{Script=Vai}\p{Script=Runic}\p{Script=Ogham}]/u;

/** The wide and the mathematical forms of Latin letters and of digits. */
export const OTHER_FORM = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/** A letter, a mark or a digit. */
const IN_WORD = '[\\p{L}\\p{M}\\p{Nd}\\p{Nl}]';
/** Letters with their marks, and digits. */
export const WORD = new RegExp(`${IN_WORD}+`, 'gu');

/** Scripts whose users write prefixes and endings of their own at Latin names. */
const AT_LATIN =
  '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Georgian}\\p{Script=Nko}\\p{Script=Thaana}';

/** A letter of such a script: only between two Latin letters does it stand for one. */
export const BETWEEN_LATIN = new RegExp(
  `[${AT_LATIN}](?<=\\p{Script=Latin}\\p{M}?.)(?=\\p{Script=Latin})`,
  'u',
);
/** A letter that can make a word one of mixed scripts. */
export const FOREIGN = new RegExp(`[${AT_LATIN}]|${OTHER_SCRIPT.source}`, 'u');

/** True if a word has letters of Latin and of a script that looks like it. */
export const mixesScripts = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && (OTHER_SCRIPT.test(word) || BETWEEN_LATIN.test(word));

/** A shorter text is looked at as it is. */
const LONG_TEXT = 1_000;
const CODE_POINTS = 0x110000;

/**
 * Returns the different characters of a text, with spaces between them. What asks for a character asks them, not the whole text:
 * they are few, and an expression takes its time for each character.
 */
export function charactersOf(text: string): string {
  if (text.length < LONG_TEXT) return text;
  const seen = new Uint8Array(CODE_POINTS);
  const characters: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at += 1;
    if (seen[code] === 1) continue;
    seen[code] = 1;
    characters.push(String.fromCodePoint(code));
  }
  return characters.join(' ');
}

/**
 * Returns an expression for the parts of a text that have one of the characters. It finds such a character first, and then how
 * its part begins, so a text without them takes little time.
 */
const partsWith = (character: RegExp, inPart: string): RegExp =>
  new RegExp(`(?=${character.source})(?<=(${inPart}*))${inPart}+`, 'gu');

export const PARTS = {
  foreign: partsWith(FOREIGN, IN_WORD),
  ofOtherForm: partsWith(OTHER_FORM, IN_WORD),
  /** What stands between white space. */
  foreignTokens: partsWith(FOREIGN, '\\S'),
} as const;

/** True if one of such parts of a text is so. */
export function hasPart(
  text: string,
  parts: keyof typeof PARTS,
  isSo: (part: string) => boolean,
): boolean {
  for (const { 0: rest, 1: start = '' } of text.matchAll(PARTS[parts]))
    if (isSo(start + rest)) return true;
  return false;
}
