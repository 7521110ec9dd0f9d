import { test } from '@jest/globals';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { assertHoldTypes, testStreams } from './golden-streams.js';

/** A session's store and its user's. */
const EXPECTED = {
  'memory-session-schema-1.ndjson': {
    content_hash: 'e3b8fd97b030f5662d49df63e4cece1eec38e5f31f1e7eaae11b663d220ca560',
    state_hash: 'ea2c8391cf28cf04cf409061f93f9c9cab828a61ce99fae821cf43f7760398d9',
  },
  'memory-user-schema-1.ndjson': {
    content_hash: '9f8f1d3febe942a5d71e43ebec15c4dc4f4b13e57304f9bddb32cde5cd2d6a40',
    state_hash: '50204078ba65870eba120f0d60ef5f1e324e1b657a9f372b23ee4c4ac190babc',
  },
};

testStreams('store', 'memory-', memoryDecider, EXPECTED);

test('X1 [golden] the stores of schema version 1 hold every type of event', () => {
  assertHoldTypes(Object.keys(EXPECTED), Object.keys(memoryDecider.schemas));
});
