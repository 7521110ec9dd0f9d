import { INVISIBLE } from './characters.js';

/**
 * Invisible characters that belong to what a reader sees: in flags and other emoji, after Chinese characters, between
 * letters of scripts that join, and a mark at the start of a file.
 */
const PARTS_OF_WRITING = new RegExp(
  [
    '^\\uFEFF',
    '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,6}\\u{E007F}',
    '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]',
    '(?<=[\\p{Emoji}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
    '(?<=\\p{Script=Mongolian})[\\u180B-\\u180F]',
    '(?<=(?!\\p{Script=Latin}|\\p{Script=Cyrillic}|\\p{Script=Greek})[\\p{L}\\p{M}])[\\u200C\\u200D]',
  ].join('|'),
  'gu',
);

const WRITTEN_FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;
/** What sets the direction or the form of numbers in such a text. An override of the direction is not among it. */
const MARKS_OF_DIRECTION = /[\u200E\u200F\u061C\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2]/gu;

/** Where a page may break a word. Pages have them, so a quotation has them as well. */
const SOFT_HYPHENS = /\u00AD/gu;

/** True for white space, which has a place that a reader sees, and for text that needs no such character. */
const isHidden = (character: string): boolean =>
  INVISIBLE.test(character) && (character === '\uFEFF' || /\S/u.test(character));

/** True if a text has a character that a reader cannot see, and that the writing of its language does not need. */
export function hasHiddenCharacters(text: string): boolean {
  if (!INVISIBLE.test(text)) return false;
  const marked = WRITTEN_FROM_THE_RIGHT.test(text) ? text.replace(MARKS_OF_DIRECTION, '') : text;
  for (const character of marked.replace(PARTS_OF_WRITING, ''))
    if (isHidden(character)) return true;
  return false;
}

/** Does this for a quotation from a page. */
export const quotesHiddenCharacters = (text: string): boolean =>
  hasHiddenCharacters(text.replace(SOFT_HYPHENS, ''));

/** Returns a text without its invisible characters, except white space. */
export const withoutInvisible = (text: string): string =>
  INVISIBLE.test(text) ? [...text].filter((character) => !isHidden(character)).join('') : text;
