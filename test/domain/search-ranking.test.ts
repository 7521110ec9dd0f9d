import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LANGUAGES } from '#domain/search/languages/language.js';
import { rankEntries, type SearchEntry } from '#domain/search/rank-entries.js';
import { RANKING_VERSIONS } from '#domain/search/rankings.js';
import { relevanceOf } from '#domain/memory-contract/recall/relevance.js';
import { semanticItem } from './memory-item.js';

const day = (n: number): number => Date.UTC(2023, 4, n);
const entry = (id: string, body: string, more: Partial<SearchEntry> = {}): SearchEntry => ({
  ...{ id, title: '', body, time: day(1), group: null },
  ...more,
});
const idsOf = (entries: readonly SearchEntry[], query: string, limit = 10): string[] =>
  rankEntries(entries, query, { limit }).map((hit) => hit.entry.id);

test('Q2 an entry is found by another form of its words', () => {
  expect(idsOf([entry('a', 'She went camping'), entry('b', 'He slept')], 'go camp')).toStrictEqual([
    'a',
  ]);
});

test('Q2 an answer is found by the words of the question before it', () => {
  const talk = [
    entry('question', 'Ada: Where did you learn pottery?', { group: 'talk' }),
    entry('answer', 'Ben: In a workshop by the lake.', { group: 'talk' }),
  ];
  expect(idsOf([...talk, entry('other', 'The lake is cold.')], 'pottery')).toContain('answer');
  expect(idsOf(talk.slice(1), 'pottery')).toStrictEqual([]);
});

test('Q2 the entries of the only speaker that the query names come first', () => {
  const said = ['Ada', 'Ben'].map((name) => entry(name, `${name}: I painted a sunset.`));
  expect(idsOf(said, 'What did Ben paint?')).toStrictEqual(['Ben', 'Ada']);
});

test('Q2 entries of the period that the query names come first', () => {
  const runs = [
    entry('march', 'We ran a race.', { time: Date.UTC(2023, 2, 4) }),
    entry('june', 'We ran a race.', { time: Date.UTC(2023, 5, 4) }),
  ];
  expect(idsOf(runs, 'the race in March 2023')).toStrictEqual(['march', 'june']);
});

test('Q2 a hit has each phrase in quotes and none of the excluded words', () => {
  const groups = [
    entry('a', 'the support group met online'),
    entry('b', 'the support group met'),
    entry('c', 'a group of support'),
  ];
  expect(idsOf(groups, '"support group" -online')).toStrictEqual(['b']);
});

test('Q2 without operators, quotes and minus signs in a question have no meaning', () => {
  const books = [entry('a', 'I read a book about the sea'), entry('b', 'The sea is cold')];
  const query = 'Who read the book "The Old Sea" -cold?';
  const hits = (operators: boolean): string[] =>
    rankEntries(books, query, { limit: 10, operators }).map((hit) => hit.entry.id);
  expect(hits(true)).toStrictEqual([]);
  expect(hits(false)).toStrictEqual(['a', 'b']);
});

test('Q2 texts of another language are found by another form of their words, without its stop words', () => {
  const notes = [entry('a', 'Die Bäume stehen im Garten'), entry('b', 'Сад и деревья')];
  const hits = (query: string): string[] =>
    rankEntries(notes, query, { limit: 10, language: LANGUAGES.german }).map((hit) => hit.entry.id);
  expect(hits('Baum')).toStrictEqual(['a']);
  expect(hits('die im')).toStrictEqual([]);
  expect(hits('деревья')).toStrictEqual(['b']);
});

test('Q4 equal scores are ordered by time, the newest first, then by id', () => {
  const same = [entry('b', 'tea'), entry('a', 'tea'), entry('c', 'tea', { time: day(2) })];
  expect(idsOf(same, 'tea')).toStrictEqual(['c', 'a', 'b']);
});

test('Q2 a query of stop words only finds nothing', () => {
  expect(idsOf([entry('a', 'what was it')], 'what was it?')).toStrictEqual([]);
  expect(idsOf([entry('a', 'What was it?')], 'What was it?')).toStrictEqual([]);
});

describe('Q2 a name of stop words is found when it is meant', () => {
  const texts = [
    entry('band', 'We heard The Who in Leeds.'),
    entry('doctors', 'The WHO, the doctors of the world, said so.', { time: day(2) }),
    entry('the one', 'She is the one who sings.'),
    entry('person', 'I met Will by the lake.'),
    entry('speaker', 'Will: I am here.'),
    entry('question', 'Will you come?', { time: day(3) }),
    entry('plan', 'We will go.'),
  ];
  test.each([
    ['"The Who"', ['doctors', 'band']],
    ['“the who”', ['doctors', 'band']],
    ['The Who', ['band']],
    ['What did The Who do?', ['band']],
    ['Will', ['speaker', 'person', 'question']],
    ['Who is Will?', ['speaker', 'person', 'question']],
    ['Will -lake', ['speaker', 'question']],
    ['Will "by the"', ['person']],
    ['"will"', ['speaker', 'person', 'plan', 'question']],
    ['will', []],
    ['Will you', []],
    ['What should I do?', []],
    ['Will -', ['speaker', 'person', 'question']],
    ['""', []],
  ])('%s', (query, ids) => {
    expect(idsOf(texts, query)).toStrictEqual(ids);
  });

  test('other words of the query decide as before', () => {
    expect(idsOf(texts, 'Will lake')).toStrictEqual(['person']);
    expect(idsOf(texts, '"The Who" Leeds')).toStrictEqual(['band']);
  });
});

test('Q6 a recall by relevance is replayed as it was recorded: a name of stop words finds nothing there', () => {
  const item = semanticItem({ text: 'Will: I am here.' });
  const policy = { order: 'relevance', version: 2, language: 'english' } as const;
  expect(relevanceOf([item], 'session', 'Will', policy).size).toBe(0);
  expect(relevanceOf([item], 'session', 'Will "here"', policy).size).toBe(0);
});

const words = fc.array(fc.constantFrom('tea', 'lake', 'ran', 'Ada:', 'blue', 'why?', '7'), {
  maxLength: 6,
});
const entriesOf = fc.array(
  fc.record({ words, time: fc.nat(9), group: fc.constantFrom(null, 'x', 'y') }),
  { maxLength: 12 },
);

test('Q4 every version gives the same hits for the same entries, best first, and a limit only cuts them', () => {
  fc.assert(
    fc.property(entriesOf, words, fc.constantFrom(...RANKING_VERSIONS), (made, query, version) => {
      const entries = made.map(({ words: body, ...more }, n) =>
        entry(String(n), body.join(' '), more),
      );
      const all = rankEntries(entries, query.join(' '), { version, limit: 100 });
      expect(rankEntries(entries, query.join(' '), { version, limit: 100 })).toStrictEqual(all);
      expect(rankEntries(entries, query.join(' '), { version, limit: 3 })).toStrictEqual(
        all.slice(0, 3),
      );
      const scores = all.map(({ score }) => score);
      expect(scores).toStrictEqual([...scores].sort((left, right) => right - left));
    }),
  );
});
