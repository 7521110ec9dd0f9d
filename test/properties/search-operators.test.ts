import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokensOf } from '#domain/episode/tokens.js';
import { rankEntries, type SearchEntry } from '#domain/search/rank-entries.js';
import { tries } from '#test/support/tries.js';

/** Words that are their own stems, and no stop words; the texts join them in any order. */
const WORDS = ['lake', 'tea', 'rome', 'boat', 'plan'];
const word = fc.constantFrom(...WORDS);
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most });

type Part =
  | { readonly kind: 'word' | 'excluded'; readonly word: string }
  | { readonly kind: 'phrase'; readonly words: readonly string[]; readonly quotes: string };

/** A query as the grammar in docs/search.md has it. */
const query: fc.Arbitrary<readonly Part[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: word.map((text): Part => ({ kind: 'word', word: text })) },
    { weight: 1, arbitrary: word.map((text): Part => ({ kind: 'excluded', word: text })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(words(3), fc.constantFrom('""', '“”'))
        .map(([list, quotes]): Part => ({ kind: 'phrase', words: list, quotes })),
    },
  ),
  { minLength: 1, maxLength: 6 },
);

const textOf = (part: Part): string => {
  if (part.kind === 'phrase') return `${part.quotes[0]}${part.words.join(' ')}${part.quotes[1]}`;
  return part.kind === 'word' ? part.word : `-${part.word}`;
};

/** True if a text, on its own, is a hit: the meaning of the grammar, as plainly as it can be said. */
function isMeant(text: string, parts: readonly Part[]): boolean {
  const tokens = tokensOf(text);
  const has = (wanted: readonly string[]): boolean =>
    tokens.some((_, at) => wanted.every((token, index) => tokens[at + index] === token));
  const wanted = parts.flatMap((part) =>
    part.kind === 'phrase' ? part.words : part.kind === 'word' ? [part.word] : [],
  );
  return (
    wanted.some((token) => has([token])) &&
    parts.every((part) => part.kind !== 'phrase' || has(part.words)) &&
    parts.every((part) => part.kind !== 'excluded' || !has([part.word]))
  );
}

test('a search finds what the grammar of its operators means, however they are combined', () => {
  fc.assert(
    fc.property(query, fc.array(words(6), { minLength: 1, maxLength: 6 }), (parts, texts) => {
      const entries = texts.map((list, index): SearchEntry => ({
        ...{ id: `${index}`, title: '', body: list.join(' '), time: index, group: null },
      }));
      const found = rankEntries(entries, parts.map(textOf).join(' '), { limit: 100 });
      expect(found.map(({ entry }) => entry.id).sort()).toStrictEqual(
        entries.filter(({ body }) => isMeant(body, parts)).map(({ id }) => id),
      );
    }),
    { numRuns: tries(2_000) },
  );
});
