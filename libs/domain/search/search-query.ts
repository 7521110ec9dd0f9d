import { tokensOf } from '../episode/tokens.js';
import { termsOf } from './analysis.js';
import { ENGLISH, type Language } from './languages/language.js';

export interface SearchQuery {
  /** The distinct terms, in the order of the query; those of phrases are among them. */
  readonly terms: readonly string[];
  /** The tokens of each phrase in quotes. A hit contains each phrase. */
  readonly phrases: readonly (readonly string[])[];
  /** The tokens of each phrase with a minus sign before it. A hit contains none of them. */
  readonly excludedPhrases: readonly (readonly string[])[];
  /** Of a query without terms, the runs of words with capital letters: names. A hit contains each, in this case. */
  readonly names: readonly (readonly string[])[];
  /** The terms of words with a minus sign. A hit contains none of them. */
  readonly excluded: readonly string[];
  /** Every run of one to three words, in lower case: the labels that the query may name. */
  readonly possibleLabels: readonly string[];
  readonly asksForNumber: boolean;
  /** The period that the query names, for example `in May 2023`; a month or day without a year is in any year. */
  readonly isInPeriod: ((time: number) => boolean) | null;
}

const PHRASE = /["“”]([^"“”]*)["“”]/gu;
const EXCLUDED = /(?:^|\s)-([\p{L}\p{Nd}]+)/gu;
/** A phrase, or an excluded word outside of phrases: a minus sign in a phrase is only a sign. */
const PHRASE_OR_EXCLUDED = new RegExp(`${PHRASE.source}|${EXCLUDED.source}`, 'gu');
/** A phrase, or an excluded phrase outside of phrases. */
const PHRASE_OR_EXCLUDED_PHRASE = new RegExp(`${PHRASE.source}|(?<=^|\\s)-${PHRASE.source}`, 'gu');
const LABEL_WORDS = 3;

export interface QueryOptions {
  /** False if quotes and minus signs in the query have no meaning; by default true. */
  readonly operators?: boolean;
  /** False if a minus sign before a phrase has no meaning; by default true. */
  readonly excludesPhrases?: boolean;
  /** The language of the query and of the entries; by default English. */
  readonly language?: Language;
}

/**
 * Reads a query. Never fails: a query of stop words only has no terms, and finds its phrases and names. Without `operators`, quotes
 * and minus signs have no meaning, as in a person's question that names the title of a book.
 */
export function parseQuery(
  given: string,
  { operators = true, excludesPhrases = operators, language = ENGLISH }: QueryOptions = {},
): SearchQuery {
  const excludedPhrases: string[] = [];
  const text = excludesPhrases
    ? given.replace(PHRASE_OR_EXCLUDED_PHRASE, (found, _phrase, excluded?: string) => {
        if (excluded === undefined) return found;
        excludedPhrases.push(`"${excluded}"`);
        return ' ';
      })
    : given;
  const phrases = operators ? phrasesIn(text) : [];
  const unquoted = operators ? text.replace(PHRASE, ' ') : '';
  const excluded = [...unquoted.matchAll(EXCLUDED)].flatMap(([, word = '']) =>
    termsOf(word, language),
  );
  const wanted = operators
    ? text.replace(PHRASE_OR_EXCLUDED, (found, _phrase, word?: string) =>
        word === undefined ? found : ' ',
      )
    : text;
  const terms = [...new Set(termsOf(wanted, language))];
  return {
    terms,
    phrases,
    excludedPhrases: phrasesIn(excludedPhrases.join('')),
    names: terms.length > 0 ? [] : namesIn(operators ? wanted.replace(PHRASE, ' ') : wanted),
    excluded: [...new Set(excluded)],
    possibleLabels: runsOf(tokensOf(wanted)),
    asksForNumber: language.numbers?.questions.test(wanted) === true,
    isInPeriod: periodIn(wanted, language.months ?? []),
  };
}

/** Returns the tokens of each phrase; a phrase that occurs twice is looked for once. */
function phrasesIn(text: string): string[][] {
  const phrases = new Map<string, string[]>();
  for (const [, words = ''] of text.matchAll(PHRASE)) {
    const tokens = tokensOf(words);
    if (tokens.length > 0) phrases.set(inSpaces(tokens), tokens);
  }
  return [...phrases.values()];
}

const WORDS = /[\p{L}\p{Nd}]+/gu;
const CAPITALISED = /^\p{Lu}./u;

/** Returns the runs of words with capital letters. The first word counts only if every word has one. */
function namesIn(text: string): string[][] {
  const words = text.match(WORDS) ?? [];
  const isTitle = words.every((word) => CAPITALISED.test(word));
  const names: string[][] = [[]];
  for (const [index, word] of words.entries()) {
    if (CAPITALISED.test(word) && (index > 0 || isTitle)) names.at(-1)!.push(word);
    else names.push([]);
  }
  return names.filter((name) => name.length > 0);
}

/** True if a query has no terms, but phrases or names: then the texts decide, and no index has their words. */
export const isOfNames = ({ terms, phrases, names }: SearchQuery): boolean =>
  terms.length === 0 && phrases.length + names.length > 0;

/** Returns tokens as one text, with a space before and after each of them. */
const inSpaces = (tokens: readonly string[]): string => ` ${tokens.join(' ')} `;

function runsOf(tokens: readonly string[]): string[] {
  const runs = new Set<string>();
  for (let from = 0; from < tokens.length; from += 1)
    for (let to = from + 1; to <= Math.min(tokens.length, from + LABEL_WORDS); to += 1)
      runs.add(tokens.slice(from, to).join(' '));
  return [...runs];
}

const ISO_DAY = /\b((?:19|20)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/;
const YEAR = /\b(?:19|20)\d\d\b/;
const DAY_OF_MONTH = /\b(3[01]|[12]?\d)(?:st|nd|rd|th)?\b/;
const DAY_MS = 86_400_000;
/** People write about an event in the days after it. */
const AFTERMATH_DAYS = 7;

/** Returns a test for times in the period that a text names, and in the seven days after it; null without one. */
function periodIn(text: string, months: readonly string[]): ((time: number) => boolean) | null {
  const iso = ISO_DAY.exec(text);
  if (iso !== null) return inDays(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const year = YEAR.exec(text)?.[0];
  const month = firstIn(text, months);
  if (month < 0) return null;
  const day = DAY_OF_MONTH.exec(text.replace(YEAR, ' '))?.[1];
  const days = day === undefined ? undefined : Number(day);
  if (year !== undefined) return inDays(Number(year), month, days);
  return (time) => {
    const at = new Date(time).getUTCFullYear();
    return inDays(at, month, days)(time) || inDays(at - 1, month, days)(time);
  };
}

/** Returns the index of the word that a text has first; -1 if it has none of them. Case matters. */
function firstIn(text: string, words: readonly string[]): number {
  const found = text.match(/\p{L}+/gu)?.find((word) => words.includes(word));
  return found === undefined ? -1 : words.indexOf(found);
}

function inDays(year: number, month: number, day: number | undefined): (time: number) => boolean {
  const from = Date.UTC(year, month, day ?? 1);
  const end = day === undefined ? Date.UTC(year, month + 1, 1) : from + DAY_MS;
  return (time) => time >= from && time < end + AFTERMATH_DAYS * DAY_MS;
}

/**
 * True if each phrase and each name is in one of the texts, and no excluded phrase in any: its words, one directly after
 * the other. The texts are divided into words once, however many phrases there are.
 */
export function haveEveryPhrase(
  texts: readonly string[],
  { phrases, excludedPhrases, names }: Pick<SearchQuery, 'phrases' | 'excludedPhrases' | 'names'>,
): boolean {
  return (
    haveAll(texts, phrases, tokensOf) &&
    haveAll(texts, names, (text) => text.match(WORDS) ?? []) &&
    haveNone(texts, excludedPhrases)
  );
}

type Runs = readonly (readonly string[])[];
type WordsOf = (text: string) => readonly string[];

const haveAll = (texts: readonly string[], runs: Runs, wordsOf: WordsOf): boolean =>
  foundIn(texts, runs, wordsOf).every((isFound) => isFound);

const haveNone = (texts: readonly string[], runs: Runs): boolean =>
  !foundIn(texts, runs, tokensOf).some((isFound) => isFound);

/** Returns for each run of words if one of the texts has it. */
function foundIn(texts: readonly string[], runs: Runs, wordsOf: WordsOf): readonly boolean[] {
  if (runs.length === 0) return [];
  const searched = texts.map((text) => inSpaces(wordsOf(text)));
  return runs.map((run) => searched.some((text) => text.includes(inSpaces(run))));
}
