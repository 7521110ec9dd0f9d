import { expect, test } from '@jest/globals';
import { analyse, termsOf } from '#domain/search/analysis.js';
import { haveEveryPhrase, parseQuery } from '#domain/search/search-query.js';

test('Q2 a term is the stem of an English word, without stop words', () => {
  expect(termsOf('She was painting the sunsets')).toStrictEqual(termsOf('paint sunset'));
});

test('Q2 an irregular form has the term of its base form', () => {
  expect(termsOf('went children bought')).toStrictEqual(termsOf('go child buy'));
});

test('Q2 a word in another script, or with digits, stays as it is', () => {
  expect(termsOf('дома 東京 r2d2s')).toStrictEqual(['дома', '東京', 'r2d2s']);
});

test('Q2 words of the title weigh twice', () => {
  const { frequencies, length } = analyse('favorite color', 'blue color');
  expect([...frequencies.values()]).toStrictEqual([2, 3, 1]);
  expect(length).toBe(6);
});

test('Q2 the name before a colon is the label of the text, and a time is not', () => {
  expect(analyse('', 'Ada Lovelace: I moved to Rome.').label).toBe('ada lovelace');
  expect(analyse('', 'At 10:30 we met.').label).toBeNull();
  expect(analyse('', 'https://example.org').label).toBeNull();
});

test('Q2 a text that ends with a question mark is a question, also before a remark in brackets', () => {
  expect(analyse('', 'Ben: Where to? (image: a map)').isQuestion).toBe(true);
  expect(analyse('', 'Ben: Where? To Rome.').isQuestion).toBe(false);
});

test('Q2 a query has terms, phrases in quotes, and excluded words', () => {
  const query = parseQuery('"support group" meeting -online');
  expect(query.terms).toStrictEqual(termsOf('support group meeting'));
  expect(query.phrases).toStrictEqual([['support', 'group']]);
  expect(query.excluded).toStrictEqual(termsOf('online'));
  expect(haveEveryPhrase(['The Support Group met.'], query)).toBe(true);
  expect(haveEveryPhrase(['A group of support'], query)).toBe(false);
  expect(haveEveryPhrase(['Support', 'group'], query)).toBe(false);
  expect(haveEveryPhrase(['Life support groups'], query)).toBe(false);
});

test('Q2 a minus sign in a phrase is only a sign, and a phrase counts once', () => {
  const query = parseQuery('-cold "hot -dry wind" "hot -dry wind"');
  expect(query.terms).toStrictEqual(termsOf('hot dry wind'));
  expect(query.phrases).toStrictEqual([['hot', 'dry', 'wind']]);
  expect(query.excluded).toStrictEqual(termsOf('cold'));
});

test('Q2 a phrase is found in a text whose words lower case makes longer', () => {
  const query = parseQuery('"from İzmir"');
  expect(haveEveryPhrase(['A hot wind from İzmir'], query)).toBe(true);
  expect(haveEveryPhrase(['From the wind, İzmir'], query)).toBe(false);
});

test('Q2 a minus sign before a phrase excludes the phrase, wherever it stands', () => {
  for (const text of ['Leeds -"The Who"', '-"The Who" Leeds', '-“the who” -"" Leeds -"The Who"']) {
    const query = parseQuery(text);
    expect(query).toMatchObject({ terms: termsOf('Leeds'), phrases: [], excluded: [] });
    expect(query.excludedPhrases).toStrictEqual([['the', 'who']]);
    expect(haveEveryPhrase(['Live at Leeds, by The Who'], query)).toBe(false);
    expect(haveEveryPhrase(['Who lives in Leeds'], query)).toBe(true);
  }
  expect(parseQuery('"at -" Leeds a-"b c"').excludedPhrases).toStrictEqual([]);
  expect(parseQuery('-"The Who"', { operators: false }).excludedPhrases).toStrictEqual([]);
});

test('Q2 a query of stop words only has no terms', () => {
  expect(parseQuery('what was it?')).toMatchObject({ terms: [], names: [] });
});

test('Q2 a query names a period by a month, a day or an ISO date, and the week after it counts', () => {
  const isIn = (query: string, time: string) => parseQuery(query).isInPeriod?.(Date.parse(time));
  expect(isIn('in May 2023', '2023-06-06T00:00:00Z')).toBe(true);
  expect(isIn('in May 2023', '2023-06-08T00:00:00Z')).toBe(false);
  expect(isIn('on 7 May 2023', '2023-05-20T00:00:00Z')).toBe(false);
  expect(isIn('on 2023-05-07', '2023-05-09T00:00:00Z')).toBe(true);
  expect(isIn('in December', '2024-01-03T00:00:00Z')).toBe(true);
  expect(parseQuery('may I march?').isInPeriod).toBeNull();
});
