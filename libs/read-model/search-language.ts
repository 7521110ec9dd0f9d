import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { type Language, type LanguageName, LANGUAGES } from '#domain/search/languages/language.js';

const MAX_STEM_BYTES = 16 * 1024 * 1024;

/** The language of the texts that the search index has (SPEC Q2). It computes the stem of a word once. */
export class SearchLanguage implements Language {
  private readonly language: Language;
  private readonly stems = new LruMap<string, string>({
    maxBytes: MAX_STEM_BYTES,
    bytesOf: (stem, word) => stringBytes(word) + stringBytes(stem),
  });

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
    const known = this.stems.peek(word);
    if (known !== undefined) return known;
    const stem = this.language.stem(word);
    this.stems.set(word, stem);
    return stem;
  };
}
