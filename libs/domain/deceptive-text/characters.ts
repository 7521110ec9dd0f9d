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

/** Letters with their marks, and digits. */
export const WORD = /[\p{L}\p{M}\p{Nd}\p{Nl}]+/gu;

/**
 * A letter of a script whose users write prefixes and endings of their own at Latin names (Hebrew, Arabic, Georgian): only
 * between two Latin letters does it stand for one.
 */
export const BETWEEN_LATIN =
  /(?<=\p{Script=Latin}\p{M}?)[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Georgian}\p{Script=Nko}\p{Script=Thaana}](?=\p{Script=Latin})/u;

/** True if a word has letters of Latin and of a script that looks like it. */
export const mixesScripts = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && (OTHER_SCRIPT.test(word) || BETWEEN_LATIN.test(word));
