import { test } from '@jest/globals';
import { jobDecider } from '#domain/job/decider.js';
import { querySchemas } from '#domain/query/events.js';
import { assertHoldTypes, testStreams } from './golden-streams.js';

const EXPECTED = {
  'query-repaired-schema-1.ndjson': {
    content_hash: 'bc00df2675c21459064a840921d99c61610e56fac5335dbfbe6687775f9c57c6',
  },
  'query-missed-schema-1.ndjson': {
    content_hash: '7a3e7424ad760a0d69d70a1494a6feba017ab78ca08bbccfe0901727b32eebf6',
  },
  'query-unknown-schema-1.ndjson': {
    content_hash: '3dcad27bbfcee500550a5d95ba5c25ba596214072b411ac875a122eee1d9dd98',
  },
  'query-confirmed-schema-1.ndjson': {
    content_hash: '2dc6c35672784a65e1ca1888299509d37ffe1f7d78c0c40219cf4cbd51cedf53',
  },
};

testStreams('query’s stream', 'query-', jobDecider, EXPECTED);

test('X1 [golden] the queries of schema version 1 hold every type of event', () => {
  const files = Object.keys(EXPECTED).filter((name) => name.endsWith('-schema-1.ndjson'));
  assertHoldTypes(files, Object.keys(querySchemas));
});
