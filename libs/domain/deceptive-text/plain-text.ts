import { charactersOf, INVISIBLE } from './characters.js';

/** Signs that stand for a sentence (a blessing) or a word in Katakana. Their normal form is up to 18 times as long. */
const LONG_SIGNS = /[\uFDFA\uFDFB\u3300-\u3357]/gu;

/** Returns a text in which signs that stand for others are those: ﬁ is fi, and a wide letter a plain one. */
export const compatible = (text: string, form: 'NFKC' | 'NFKD'): string =>
  text.replace(LONG_SIGNS, ' ').normalize(form);
const MARKS = /\p{M}+/gu;
const INVISIBLE_ONES = new RegExp(INVISIBLE.source, 'gu');

/** Markup within a sentence, and that between sentences. */
const INLINE_TAG =
  /(?<!<)<\/?(?:a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strike|strong|sub|sup|tt|u|wbr)(?:\s[^<>]{0,200})?\/?>/giu;
const OTHER_TAG = /(?<!<)<\/?[a-z][a-z\d]{0,15}(?:\s[^<>]{0,200})?\/?>/giu;
const COMMENT_MARK = /<!--|-->/gu;

const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(nbsp|amp|lt|gt|quot|apos|shy|zwnj|zwj|ensp|emsp|thinsp));/giu;
const NAMED: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};
const LAST_CODE_POINT = 0x10ffff;

/** A name in the style of programs: ignoreAllRules. */
const NAME_IN_HUMPS =
  /(?=\p{Lu})(?<=(?<![\p{L}\p{Nd}])(\p{Ll}{2,24}))(?:\p{Lu}\p{Ll}{1,24}){2,8}(?![\p{L}\p{Nd}])/gu;
const SIGN = /[*`~#\p{So}]/u;
const SIGNS = new RegExp(SIGN.source, 'gu');

/** Returns a text without marks: é is e, and so it is in the patterns. */
export const withoutMarks = (text: string): string =>
  compatible(text, 'NFKD').replace(MARKS, '').normalize('NFC');

const folded = (text: string): string =>
  (/[\u0080-\uFFFF]/.test(text) ? withoutMarks(text) : text).toLowerCase();

/**
 * Returns the words of a text as a reader understands them: in lower case, without marks, invisible characters, emoji and markup,
 * the parts of a name of a program as words, each white space one character.
 */
export function plainOf(text: string): string {
  const isAllShown = !INVISIBLE.test(charactersOf(text));
  const shown = isAllShown ? text : text.replace(INVISIBLE_ONES, spaceOrNothing);
  const decoded = shown.includes('&') ? shown.replace(ENTITY, decodedEntity) : shown;
  const bare = decoded.includes('<') ? withoutTags(decoded) : decoded;
  return withoutSigns(folded(bare + partsOfNames(bare)))
    .replace(/[_\-‐]/gu, ' ')
    .replace(/[^\S\n ]/gu, ' ')
    .replace(/ {2,}/gu, ' ')
    .replace(/ ?\n\s*/gu, '\n')
    .trim();
}

/** Returns the parts of names in the style of programs, as the lines of a text. */
function partsOfNames(text: string): string {
  if (!/\p{Lu}/u.test(charactersOf(text))) return '';
  const names = new Set<string>();
  for (const { 0: humps, 1: start = '' } of text.matchAll(NAME_IN_HUMPS)) names.add(start + humps);
  return [...names].map((name) => `\n${name.replace(/\p{Lu}/gu, ' $&')}`).join('');
}

const withoutSigns = (text: string): string =>
  SIGN.test(charactersOf(text)) ? text.replace(SIGNS, '') : text;

/** Returns what stands for a character that nobody sees: a line may begin with an order, and a space parts words. */
function spaceOrNothing(character: string): string {
  if (/[\n\r\v\f\u0085\u2028\u2029]/u.test(character)) return '\n';
  return /[^\S\uFEFF]/u.test(character) ? ' ' : '';
}

const withoutTags = (text: string): string =>
  text.replace(COMMENT_MARK, '\n').replace(INLINE_TAG, '').replace(OTHER_TAG, '\n');

function decodedEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > LAST_CODE_POINT ? entity : String.fromCodePoint(code);
}
