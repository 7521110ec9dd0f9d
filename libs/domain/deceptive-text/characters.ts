/** Controls, formats, directions, variation selectors and blanks, except the usual white space. */
export const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115F\u1160\u3164\uFFA0\u034F\u17B4\u17B5\u180B-\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|[^\S \n\t\r]/u;

/** Letters of these scripts look like Latin ones. */
export const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** The wide and the mathematical forms of Latin letters and of digits. */
export const OTHER_FORM = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/** Letters with their marks, and digits. */
export const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;

/** True if a word has letters of Latin and of a script that looks like it. */
export const mixesScripts = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && OTHER_SCRIPT.test(word);
