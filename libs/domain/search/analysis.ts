import { tokensOf } from '../episode/tokens.js';
import { ENGLISH, type Language } from './languages/language.js';

const LATIN_WORD = /^\p{Script=Latin}+$/u;

/**
 * Returns the terms of a text, in order and with repeats: E2's tokens without stop words, stemmed. A token in another
 * script or with digits stays as it is (SPEC Q2).
 */
export const termsOf = (text: string, language: Language = ENGLISH): string[] =>
  termsIn(tokensOf(text), language);

/** Returns the terms of the tokens of a text. A token is not a text: in lower case, one word can be two (`İzmir`). */
export const termsIn = (tokens: readonly string[], { stopWords, stem }: Language): string[] =>
  tokens
    .filter((token) => !stopWords.has(token))
    .map((token) => (LATIN_WORD.test(token) ? stem(token) : token));

/** A text as it is indexed. */
export interface AnalysedText {
  /** How often each term occurs. A term of the title counts twice (SPEC Q2). */
  readonly frequencies: ReadonlyMap<string, number>;
  /** The sum of all frequencies. */
  readonly length: number;
  /** The label at the beginning of the body, in lower case: `ada` for `Ada: I moved to Rome.` */
  readonly label: string | null;
  /** True if the body ends with a question mark; text in brackets after it does not count. */
  readonly isQuestion: boolean;
  /** True if the body has a number, in digits or as a word. */
  readonly hasNumber: boolean;
}

/** The largest frequency of a term in one text that the index keeps. */
export const MAX_FREQUENCY = 255;

const LABEL =
  /^(\p{Lu}[\p{L}\p{M}\p{Nd}’'.-]{0,30}(?: \p{L}[\p{L}\p{M}\p{Nd}’'.-]{0,30}){0,2}):\s/u;
const QUESTION = /\?\s*(?:\([^()]{0,400}\)\s*)?$/;
const DIGIT = /\d/;

/**
 * Analyses a text with a title. Text before a colon at the beginning of the body, such as a speaker's name, is its
 * label, and counts as a title.
 */
export function analyse(title: string, body: string, language = ENGLISH): AnalysedText {
  const label = LABEL.exec(body)?.[1] ?? null;
  const rest = label === null ? body : body.slice(label.length + 1);
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const term of termsOf(text, language)) {
      frequencies.set(term, Math.min(MAX_FREQUENCY, (frequencies.get(term) ?? 0) + weight));
      length += weight;
    }
  };
  add(title, 2);
  add(label ?? '', 2);
  add(rest, 1);
  return {
    frequencies,
    length,
    label: label === null ? null : labelOf(label),
    isQuestion: QUESTION.test(rest.slice(-500)),
    hasNumber: DIGIT.test(rest) || language.numbers?.words.test(rest) === true,
  };
}

/** Returns words in the form in which labels are compared. */
export const labelOf = (words: string): string => tokensOf(words).join(' ');
