import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { EPISODE_CHAIN_START, episodeChain, episodicSnapshotId } from '#domain/episode/chain.js';
import { scoreOf } from '#domain/episode/ranking.js';
import { cwmSummary, factSummary } from '#domain/episode/summaries.js';
import { tokensOf } from '#domain/episode/tokens.js';
import { rankEpisodes } from '#test/support/rank-episodes.js';

test('E2 a token is a maximal run of letters and digits, lower-cased', () => {
  expect(tokensOf("It's 3pm—Zürich, ÀÉ! 東京タワー x_y ٣")).toStrictEqual([
    'it',
    's',
    '3pm',
    'zürich',
    'àé',
    '東京タワー',
    'x',
    'y',
    '٣',
  ]);
  expect(tokensOf(' -_. \u{1f600}')).toStrictEqual([]);
});

test('E2 a token is cut to 64 code points (not code units)', () => {
  const letter = '\u{10400}';
  expect(tokensOf(letter.repeat(70))).toStrictEqual(['\u{10428}'.repeat(64)]);
  expect(tokensOf('A'.repeat(65))).toStrictEqual(['a'.repeat(64)]);
});

test('E2 the score counts repeated tokens and divides by the number of tokens in the summary', () => {
  const wanted = new Set(tokensOf('rome hotel'));
  expect(scoreOf('Rome, Rome and a hotel', wanted)).toBe(3 / 5);
  expect(scoreOf('', wanted)).toBe(0);
  expect(scoreOf('nothing here', wanted)).toBe(0);
  const other = new Set(tokensOf('STRASSE straß nai unicode'));
  expect(scoreOf('Straße, naïve-café: Ünïcode', other)).toBe(0);
});

test('E2 matching episodes are ordered by score, then later time, then smaller id', () => {
  const episodes = [
    { episodic_id: 'ep:b', summary: 'rome trip', created_seeded_ts: '2025-01-01T00:00:00.000Z' },
    { episodic_id: 'ep:a', summary: 'rome trip', created_seeded_ts: '2025-01-01T00:00:00.000Z' },
    { episodic_id: 'ep:c', summary: 'trip rome', created_seeded_ts: '2025-01-02T00:00:00.000Z' },
    { episodic_id: 'ep:d', summary: 'rome', created_seeded_ts: '2024-01-01T00:00:00.000Z' },
    { episodic_id: 'ep:e', summary: 'oslo', created_seeded_ts: '2026-01-01T00:00:00.000Z' },
  ];
  const ids = (query: Parameters<typeof rankEpisodes>[1]) =>
    rankEpisodes(episodes, query).map((found) => found.episodic_id);
  expect(ids({ query_terms: 'ROME!' })).toStrictEqual(['ep:d', 'ep:c', 'ep:a', 'ep:b']);
  expect(ids({ query_terms: 'rome', max_results: 2 })).toStrictEqual(['ep:d', 'ep:c']);
  const time_window = { from: '2025-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' };
  expect(ids({ query_terms: 'rome', time_window })).toStrictEqual(['ep:a', 'ep:b']);
  expect(ids({ query_terms: '' })).toStrictEqual([]);
});

test('E2 a query returns ten results by default', () => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    episodic_id: `ep:${index}`,
    summary: 'rome',
    created_seeded_ts: '2025-01-01T00:00:00.000Z',
  }));
  expect(rankEpisodes(many, { query_terms: 'rome' })).toHaveLength(10);
});

test('J1 the hash of an episodic snapshot chains the episode ids in log order', () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const two = episodeChain(episodeChain(EPISODE_CHAIN_START, 'ep:1'), 'ep:2');
  expect(two).toBe(sha(`${sha(`${'0'.repeat(64)}ep:1`)}ep:2`));
  expect(episodicSnapshotId(two)).toBe(`episodes:${two}`);
});

test('J7 the summary of a fact is its text or its canonical JSON; the summary of the CWM names its topic and items', () => {
  expect(factSummary({ value: 'Rome' })).toBe('Rome');
  expect(factSummary({ value: { b: 1, a: 'x' } })).toBe('{"a":"x","b":1}');
  expect(factSummary({ sealed: { jwe: 'j', type: 'iban' } })).toBe('[REDACTED:iban]');
  expect(cwmSummary('trip', [{ value: 'Rome' }, { value: 7 }])).toBe('trip: "Rome"; 7');
  expect(cwmSummary('', [])).toBe(': ');
});
