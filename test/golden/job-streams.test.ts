import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jobDecider } from '#domain/job/decider.js';
import { querySchemas } from '#domain/query/events.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';

/**
 * One bundle for each schema version that was ever released, with what its replay must come to. A file here
 * is never changed: a rule that would read an old job differently shows up as a divergence.
 */
const EXPECTED: Readonly<Record<string, { content_hash: string; state_hash: string }>> = {
  'job-schema-1.ndjson': {
    content_hash: 'eadd329b5c4c69f372b9f7e7e8bde6ff349c535397ed883de4b2683dd3f9a8f5',
    state_hash: '4919ad058aa3f028b8c17b39e4537fb4440d5ee78610e5dbff8bdd7fcc1c5927',
  },
};

const folder = new URL('./streams/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.startsWith('job-'));

test('X1 [golden] every job stream of an earlier release is still here', () => {
  assert.deepEqual(files.sort(), Object.keys(EXPECTED).sort());
});

for (const file of files) {
  test(`X1 [golden] ${file} replays today as it was recorded`, async () => {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n').slice(0, -1);
    const { finding, replay } = await verifyBundle(jobDecider, lines);
    assert.deepEqual(finding, undefined);
    assert.equal(replay?.identical, true);
    assert.equal(replay.content_hash, EXPECTED[file]?.content_hash);
    assert.equal(replay.state_hash, EXPECTED[file]?.state_hash);
  });
}

test('X1 [golden] the stream of schema version 1 holds every type of event but those of queries', () => {
  const text = readFileSync(new URL('job-schema-1.ndjson', folder), 'utf8');
  for (const type of Object.keys(jobDecider.schemas).filter((name) => !(name in querySchemas)))
    assert.equal(text.includes(`"type":"${type}"`), true, type);
});
