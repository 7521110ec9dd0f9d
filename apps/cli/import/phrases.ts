/** Longest value, in tokens, that is recognised when a text repeats it. */
const LONGEST_PHRASE = 8;
/** Shorter values ("no", "51", "TX") are repeated by accident. */
const SHORTEST_VALUE = 3;

/** Maximal runs of letters and digits, lower-cased: the tokens of SPEC E2, and so `mia_li_3668` is three of them. */
export const tokensOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}]+/gu)?.map((token) => token.toLowerCase()) ?? [];

const joined = (tokens: readonly string[]): string => tokens.join(' ');

/** The phrase that a whole value is, or undefined for one that is too short or too long to look for. */
export function phraseOf(value: string): string | undefined {
  const tokens = tokensOf(value);
  const long = tokens.length > LONGEST_PHRASE;
  return long || tokens.join('').length < SHORTEST_VALUE ? undefined : joined(tokens);
}

/** Every phrase that occurs in a text. Work grows with the text's length, not with what is looked for. */
export function* phrasesIn(text: string): Generator<string> {
  const tokens = tokensOf(text);
  for (let start = 0; start < tokens.length; start += 1) {
    let phrase = '';
    const end = Math.min(start + LONGEST_PHRASE, tokens.length);
    for (let index = start; index < end; index += 1) {
      phrase = index === start ? tokens[index]! : `${phrase} ${tokens[index]!}`;
      yield phrase;
    }
  }
}

/** Words of a sentence that name something: they hold a digit, `_` or `@`, or are a code such as SEA. */
export const namesIn = (sentence: string): string[] =>
  sentence
    .split(/\s+/)
    .filter((word) => /[\p{N}_@]/u.test(word) || /^\P{L}*\p{Lu}{3,5}\P{L}*$/u.test(word));
