import { test } from '@jest/globals';
import { jobDecider } from '#domain/job/decider.js';
import { querySchemas } from '#domain/query/events.js';
import { assertHoldTypes, testStreams } from './golden-streams.js';

const EXPECTED = {
  'job-schema-1.ndjson': {
    content_hash: 'eadd329b5c4c69f372b9f7e7e8bde6ff349c535397ed883de4b2683dd3f9a8f5',
    state_hash: '4919ad058aa3f028b8c17b39e4537fb4440d5ee78610e5dbff8bdd7fcc1c5927',
  },
};

testStreams('job stream', 'job-', jobDecider, EXPECTED);

test('X1 [golden] the stream of schema version 1 holds every type of event but those of queries', () => {
  const types = Object.keys(jobDecider.schemas).filter((name) => !(name in querySchemas));
  assertHoldTypes(['job-schema-1.ndjson'], types);
});
