import type { Language } from '#domain/search/languages/language.js';

const MAX_STEMS = 100_000;

/** Returns the language with stems that are computed once for each word. Stemming takes most of the time of an analysis. */
export function withKeptStems(language: Language): Language {
  const stems = new Map<string, string>();
  return {
    ...language,
    stem: (word) => {
      const known = stems.get(word);
      if (known !== undefined) return known;
      if (stems.size >= MAX_STEMS) stems.clear();
      const stem = language.stem(word);
      stems.set(word, stem);
      return stem;
    },
  };
}
