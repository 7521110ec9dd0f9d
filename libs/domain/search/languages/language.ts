import { keysOf } from '../../keys-of.js';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { BASE_FORMS } from './english-forms.js';
import { type LanguageName, STOP_WORDS } from './stop-words.js';

export type { LanguageName } from './stop-words.js';

/** How texts of a language are indexed and searched for (SPEC Q2). */
export interface Language {
  readonly name: LanguageName;
  readonly stopWords: ReadonlySet<string>;
  /** Returns the stem of a word in Latin letters. */
  readonly stem: (word: string) => string;
  /** Words that a text counts as numbers, and questions for a number; null: digits only, and no such question. */
  readonly numbers: { readonly words: RegExp; readonly questions: RegExp } | null;
  /** The months as a query names them, January first; null: a query names a period only as YYYY-MM-DD. */
  readonly months: readonly string[] | null;
}

const plain = (name: LanguageName, stem: (word: string) => string): Language => ({
  ...{ name, stem, stopWords: STOP_WORDS[name], numbers: null, months: null },
});

export const ENGLISH: Language = {
  ...plain('english', (word) => english(BASE_FORMS.get(word) ?? word)),
  numbers: {
    words: /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|few|several)\b/i,
    questions: /\bhow (?:many|much|old|long|often)\b/i,
  },
  // A query must begin a month with a capital letter, because `may` and `march` are verbs.
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
    ...['October', 'November', 'December'],
  ],
};

/** Every language that a log can be searched in. Texts in other scripts are indexed as they are. */
export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  english: ENGLISH,
  german: plain('german', german),
  french: plain('french', french),
  spanish: plain('spanish', spanish),
  italian: plain('italian', italian),
  portuguese: plain('portuguese', portuguese),
  dutch: plain('dutch', dutch),
};

export const LANGUAGE_NAMES = keysOf(LANGUAGES);
