import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';

/**
 * A session's store and its user's, for each schema version that was ever released, with what their replays
 * must come to. A file here is never changed: a rule that would read an old store differently shows up as a
 * divergence.
 */
const EXPECTED: Readonly<Record<string, { content_hash: string; state_hash: string }>> = {
  'memory-session-schema-1.ndjson': {
    content_hash: 'e3b8fd97b030f5662d49df63e4cece1eec38e5f31f1e7eaae11b663d220ca560',
    state_hash: 'ea2c8391cf28cf04cf409061f93f9c9cab828a61ce99fae821cf43f7760398d9',
  },
  'memory-user-schema-1.ndjson': {
    content_hash: '9f8f1d3febe942a5d71e43ebec15c4dc4f4b13e57304f9bddb32cde5cd2d6a40',
    state_hash: '50204078ba65870eba120f0d60ef5f1e324e1b657a9f372b23ee4c4ac190babc',
  },
};

const folder = new URL('./streams/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.startsWith('memory-'));
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

test('X1 [golden] every store of an earlier release is still here', () => {
  assert.deepEqual(files.sort(), Object.keys(EXPECTED).sort());
});

for (const file of files) {
  test(`X1 [golden] ${file} replays today as it was recorded`, async () => {
    const { finding, replay } = await verifyBundle(
      memoryDecider,
      textOf(file).split('\n').slice(0, -1),
    );
    assert.deepEqual(finding, undefined);
    assert.equal(replay?.identical, true);
    assert.equal(replay.content_hash, EXPECTED[file]?.content_hash);
    assert.equal(replay.state_hash, EXPECTED[file]?.state_hash);
  });
}

test('X1 [golden] the stores of schema version 1 hold every type of event', () => {
  const text = files.map(textOf).join('');
  for (const type of Object.keys(memoryDecider.schemas))
    assert.equal(text.includes(`"type":"${type}"`), true, type);
});
