import { DASH, isSign, SIGN } from './numbers.js';

/** Scripts that are written without spaces: each letter counts as a word. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const COMPARISON = `[<>]=?(?= ?(?:\\p{Sc}|${DASH})?\\p{Nd})|[≤≥≠]`;
const TOKEN = new RegExp(
  `${SIGN}|[a-z]+(?![\\p{L}\\p{M}])|\\p{Nd}+(?:[.,:]\\p{Nd}+)*|${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{M}])+|${COMPARISON}`,
  'gu',
);
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;
const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['<=', '≤'],
  ['>=', '≥'],
]);

/** Yields the words and the numbers of a text. The sign of a number is a part of it. */
export function* tokensOf(form: string): Generator<string> {
  let sign = '';
  for (const token of form.match(TOKEN) ?? []) {
    if (isSign(token)) sign = '-';
    else {
      const plain = GROUPED.test(token) ? token.replaceAll(',', '') : token;
      yield sign + (COMPARISONS.get(plain) ?? plain);
      sign = '';
    }
  }
}

export const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;
