import { type Language, type LanguageName, LANGUAGES } from '#domain/search/languages/language.js';

const MAX_STEMS = 100_000;

/** The language of the texts that the search index has (SPEC Q2). It computes the stem of a word once. */
export class SearchLanguage implements Language {
  private readonly language: Language;
  private readonly stems = new Map<string, string>();

  constructor(readonly name: LanguageName = 'english') {
    this.language = LANGUAGES[name];
  }

  get stopWords() {
    return this.language.stopWords;
  }

  get numbers() {
    return this.language.numbers;
  }

  get months() {
    return this.language.months;
  }

  readonly stem = (word: string): string => {
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    if (this.stems.size >= MAX_STEMS) this.stems.clear();
    const stem = this.language.stem(word);
    this.stems.set(word, stem);
    return stem;
  };
}
