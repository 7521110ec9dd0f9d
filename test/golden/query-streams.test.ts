import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jobDecider } from '#domain/job/decider.js';
import { querySchemas } from '#domain/query/events.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';

/**
 * Bundles of queries, for each schema version that was ever released. A file here is never changed: a rule
 * that would read an old query differently shows up as a divergence.
 */
const CONTENT_HASHES: Readonly<Record<string, string>> = {
  'query-repaired-schema-1.ndjson':
    'bc00df2675c21459064a840921d99c61610e56fac5335dbfbe6687775f9c57c6',
  'query-missed-schema-1.ndjson':
    '7a3e7424ad760a0d69d70a1494a6feba017ab78ca08bbccfe0901727b32eebf6',
  'query-unknown-schema-1.ndjson':
    '3dcad27bbfcee500550a5d95ba5c25ba596214072b411ac875a122eee1d9dd98',
  'query-confirmed-schema-1.ndjson':
    '2dc6c35672784a65e1ca1888299509d37ffe1f7d78c0c40219cf4cbd51cedf53',
};

const folder = new URL('./streams/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.startsWith('query-'));
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

test('X1 [golden] every query’s stream of an earlier release is still here', () => {
  assert.deepEqual(files.sort(), Object.keys(CONTENT_HASHES).sort());
});

for (const file of files) {
  test(`X1 [golden] ${file} replays today as it was recorded`, async () => {
    const lines = textOf(file).split('\n').slice(0, -1);
    const { finding, replay } = await verifyBundle(jobDecider, lines);
    assert.deepEqual(finding, undefined);
    assert.equal(replay?.identical, true);
    assert.equal(replay.content_hash, CONTENT_HASHES[file]);
  });
}

test('X1 [golden] the queries of schema version 1 hold every type of event', () => {
  const text = files
    .filter((name) => name.endsWith('-schema-1.ndjson'))
    .map(textOf)
    .join('');
  for (const type of Object.keys(querySchemas))
    assert.equal(text.includes(`"type":"${type}"`), true, type);
});
