import { charactersOf, INVISIBLE } from './characters.js';

/** Scripts in which a joiner or a non-joiner between letters changes how a word is written. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Manichaean'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Tibetan', 'Myanmar', 'Khmer', 'Thai', 'Lao', 'Balinese', 'Javanese'],
  ...['Sundanese', 'Hanifi_Rohingya', 'Sogdian', 'Newa', 'Grantha', 'Tirhuta', 'Modi'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

/**
 * Invisible characters that belong to what a reader sees: in the flags of England, Scotland and Wales and in other emoji,
 * after Chinese characters, between letters of scripts that join, blanks among signs of their own script, and a mark at the
 * start of a file. Unicode counts digits among emoji, but only with a frame does one become a key.
 */
const PARTS_OF_WRITING = new RegExp(
  `(?=\\u{1F3F4}|${INVISIBLE.source})(?:${[
    '^\\uFEFF',
    '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}',
    '(?<=(?![0-9#*])\\p{Emoji})[\\uFE0E\\uFE0F]',
    '(?<=[0-9#*])[\\uFE0E\\uFE0F](?=\\u20E3)',
    '(?<=(?![0-9#*])[\\p{Emoji}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E011F}]',
    '(?<=\\p{Script=Mongolian})[\\u180B-\\u180F]',
    `(?<=(?=[\\p{L}\\p{M}])[${JOINING}])[\\u200C\\u200D]`,
    '(?<=[\\u2800-\\u28FF])\\u2800(?=[\\u2800-\\u28FF])',
    '(?<=\\p{Script=Tifinagh})\\u2D7F(?=\\p{Script=Tifinagh})',
    '(?<=\\p{Script=Brahmi})\\u{1107F}',
    '(?<=\\p{Script=Egyptian_Hieroglyphs})[\\u{13441}\\u{13442}]',
    '(?<=\\p{Script=Khitan_Small_Script})\\u{16FE4}',
  ].join('|')})`,
  'gu',
);

const WRITTEN_FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;
/** What sets the direction or the form of numbers in such a text. An override of the direction is not among it. */
const MARKS_OF_DIRECTION = /[\u200E\u200F\u061C\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2]/gu;

/** Where a page may break a word. Pages have them, so a quotation has them as well. */
const SOFT_HYPHENS = /\u00AD/gu;

/** White space has a place that a reader sees, also the unusual kinds. */
const HIDDEN = new RegExp(`(?![^\\S\\uFEFF])(?:${INVISIBLE.source})`, 'u');

/** True if a text has a character that a reader cannot see, and that the writing of its language does not need. */
export function hasHiddenCharacters(text: string): boolean {
  const characters = charactersOf(text);
  if (!HIDDEN.test(characters)) return false;
  const marked = WRITTEN_FROM_THE_RIGHT.test(characters)
    ? text.replace(MARKS_OF_DIRECTION, '')
    : text;
  return HIDDEN.test(marked.replace(PARTS_OF_WRITING, ''));
}

/** Does this for a quotation from a page. */
export const quotesHiddenCharacters = (text: string): boolean =>
  hasHiddenCharacters(text.replace(SOFT_HYPHENS, ''));
