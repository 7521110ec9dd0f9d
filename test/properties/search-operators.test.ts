import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokensOf } from '#domain/episode/tokens.js';
import { rankEntries, type SearchEntry } from '#domain/search/rank-entries.js';
import { tries } from '#test/support/tries.js';

/** Words that are their own stems, and no stop words; the texts join them in any order. */
const WORDS = ['lake', 'tea', 'rome', 'boat', 'plan'];
/** Stop words, as they are and as names. */
const STOP_WORDS = ['the', 'The', 'Will', 'who'];
const word = fc.constantFrom(...WORDS);
const anyWord = fc.constantFrom(...WORDS, ...STOP_WORDS);
const words = (most: number) => fc.array(anyWord, { minLength: 1, maxLength: most });

type Part =
  | { readonly kind: 'word' | 'excluded'; readonly word: string }
  | {
      readonly kind: 'phrase' | 'excludedPhrase';
      readonly words: readonly string[];
      readonly quotes: string;
    };

/** A query as the grammar in docs/search.md has it. */
const query: fc.Arbitrary<readonly Part[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: anyWord.map((text): Part => ({ kind: 'word', word: text })) },
    { weight: 1, arbitrary: word.map((text): Part => ({ kind: 'excluded', word: text })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('phrase', 'excludedPhrase'), words(3), fc.constantFrom('""', '“”'))
        .map(([kind, list, quotes]): Part => ({ kind, words: list, quotes })),
    },
  ),
  { minLength: 1, maxLength: 6 },
);

const textOf = (part: Part): string => {
  if ('words' in part)
    return `${part.kind === 'phrase' ? '' : '-'}${part.quotes[0]}${part.words.join(' ')}${part.quotes[1]}`;
  return part.kind === 'word' ? part.word : `-${part.word}`;
};

const isIn = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((_, at) => wanted.every((word, index) => words[at + index] === word));

/** True if a text, on its own, is a hit: the meaning of the grammar, as plainly as it can be said. */
function isMeant(text: string, parts: readonly Part[]): boolean {
  const has = (wanted: readonly string[]): boolean =>
    isIn(tokensOf(text), tokensOf(wanted.join(' ')));
  const wanted = parts
    .flatMap((part) =>
      part.kind === 'phrase' ? part.words : part.kind === 'word' ? [part.word] : [],
    )
    .filter((each) => WORDS.includes(each));
  return (
    (wanted.length > 0 ? wanted.some((token) => has([token])) : hasNames(text, parts)) &&
    parts.every((part) => part.kind !== 'phrase' || has(part.words)) &&
    parts.every((part) => part.kind !== 'excludedPhrase' || !has(part.words)) &&
    parts.every((part) => part.kind !== 'excluded' || !has([part.word]))
  );
}

/** True if a text has the names of a query without other words, of which phrases are some. */
function hasNames(text: string, parts: readonly Part[]): boolean {
  const hasPhrases = parts.some(({ kind }) => kind === 'phrase');
  const plain = parts.flatMap((part) => (part.kind === 'word' ? [part.word] : []));
  const isName = (each: string, at: number): boolean =>
    /^[TW]/.test(each) && (at > 0 || plain.every((one) => /^[TW]/.test(one)));
  const names = plain
    .map((each, at) => (isName(each, at) ? each : '|'))
    .join(' ')
    .split('|')
    .map((run) => run.trim())
    .filter((run) => run !== '');
  return (
    (hasPhrases || names.length > 0) &&
    names.every((name) => isIn(text.split(' '), name.split(' ')))
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
