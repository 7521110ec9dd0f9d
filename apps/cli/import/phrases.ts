/** The maximum tokens of a value that can be recognised in a text. */
const MAX_PHRASE = 8;
/** The minimum characters of a value that can be recognised. Shorter values ("no", "51", "TX") occur by chance. */
const SHORTEST_VALUE = 3;

const RUNS = /[\p{L}\p{N}]+/gu;

/** Splits a text into lower-cased runs of letters and digits, as SPEC E2 does; `mia_li_3668` is three tokens. */
export const tokensOf = (text: string): string[] =>
  text.match(RUNS)?.map((token) => token.toLowerCase()) ?? [];

const joined = (tokens: readonly string[]): string => tokens.join(' ');

/** Returns the phrase of a whole value; undefined if the value is too short or too long to be recognised. */
export function phraseOf(value: string): string | undefined {
  const tokens = tokensOf(value);
  const long = tokens.length > MAX_PHRASE;
  return long || tokens.join('').length < SHORTEST_VALUE ? undefined : joined(tokens);
}

/**
 * Returns every phrase that occurs in a text. The work depends on the text's length, not on the number of
 * values; the memory depends on neither.
 */
export function* phrasesIn(text: string): Generator<string> {
  const last: string[] = [];
  for (const [run] of text.matchAll(RUNS)) {
    if (last.unshift(run.toLowerCase()) > MAX_PHRASE) last.pop();
    let phrase = '';
    for (const token of last) {
      phrase = phrase === '' ? token : `${token} ${phrase}`;
      yield phrase;
    }
  }
}

/** Returns the words of a sentence that identify something: words with a digit, `_` or `@`, and codes such as SEA. */
export const namesIn = (sentence: string): string[] =>
  sentence
    .split(/\s+/)
    .filter((word) => /[\p{N}_@]/u.test(word) || /^\P{L}*\p{Lu}{3,5}\P{L}*$/u.test(word));
