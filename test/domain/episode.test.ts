import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { EPISODE_CHAIN_START, episodeChain, episodicSnapshotId } from '#domain/episode/chain.js';
import { rankEpisodes, scoreOf } from '#domain/episode/ranking.js';
import { cwmSummary, factSummary } from '#domain/episode/summaries.js';
import { tokensOf } from '#domain/episode/tokens.js';

test('E2 tokens are the maximal runs of letters and digits, lower-cased', () => {
  assert.deepEqual(tokensOf("It's 3pm—Zürich, ÀÉ! 東京タワー x_y ٣"), [
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
  assert.deepEqual(tokensOf(' -_. \u{1f600}'), []);
});

test('E2 a token is cut to 64 code points, not to 64 code units', () => {
  const letter = '\u{10400}';
  assert.deepEqual(tokensOf(letter.repeat(70)), ['\u{10428}'.repeat(64)]);
  assert.deepEqual(tokensOf('A'.repeat(65)), ['a'.repeat(64)]);
});

test('E2 the score counts repeats and divides by all tokens of the summary', () => {
  const wanted = new Set(tokensOf('rome hotel'));
  assert.equal(scoreOf('Rome, Rome and a hotel', wanted), 3 / 5);
  assert.equal(scoreOf('', wanted), 0);
  assert.equal(scoreOf('nothing here', wanted), 0);
});

test('E2 results come by score, then the later time, then the smaller id; only what matches', () => {
  const episodes = [
    { episodic_id: 'ep:b', summary: 'rome trip', created_seeded_ts: '2025-01-01T00:00:00.000Z' },
    { episodic_id: 'ep:a', summary: 'rome trip', created_seeded_ts: '2025-01-01T00:00:00.000Z' },
    { episodic_id: 'ep:c', summary: 'trip rome', created_seeded_ts: '2025-01-02T00:00:00.000Z' },
    { episodic_id: 'ep:d', summary: 'rome', created_seeded_ts: '2024-01-01T00:00:00.000Z' },
    { episodic_id: 'ep:e', summary: 'oslo', created_seeded_ts: '2026-01-01T00:00:00.000Z' },
  ];
  const ids = (query: Parameters<typeof rankEpisodes>[1]) =>
    rankEpisodes(episodes, query).map((found) => found.episodic_id);
  assert.deepEqual(ids({ query_terms: 'ROME!' }), ['ep:d', 'ep:c', 'ep:a', 'ep:b']);
  assert.deepEqual(ids({ query_terms: 'rome', max_results: 2 }), ['ep:d', 'ep:c']);
  const time_window = { from: '2025-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' };
  assert.deepEqual(ids({ query_terms: 'rome', time_window }), ['ep:a', 'ep:b']);
  assert.deepEqual(ids({ query_terms: '' }), []);
});

test('E2 ten results are given unless asked otherwise', () => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    episodic_id: `ep:${index}`,
    summary: 'rome',
    created_seeded_ts: '2025-01-01T00:00:00.000Z',
  }));
  assert.equal(rankEpisodes(many, { query_terms: 'rome' }).length, 10);
});

test('J1 the episodic snapshot is a chain of hashes over the ids in log order', () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const two = episodeChain(episodeChain(EPISODE_CHAIN_START, 'ep:1'), 'ep:2');
  assert.equal(two, sha(`${sha(`${'0'.repeat(64)}ep:1`)}ep:2`));
  assert.equal(episodicSnapshotId(two), `episodes:${two}`);
});

test('J7 a fact is summed up by its text or its canonical JSON, the CWM by topic and items', () => {
  assert.equal(factSummary({ value: 'Rome' }), 'Rome');
  assert.equal(factSummary({ value: { b: 1, a: 'x' } }), '{"a":"x","b":1}');
  assert.equal(factSummary({ sealed: { jwe: 'j', type: 'iban' } }), '[REDACTED:iban]');
  assert.equal(cwmSummary('trip', [{ value: 'Rome' }, { value: 7 }]), 'trip: "Rome"; 7');
  assert.equal(cwmSummary('', []), ': ');
});
