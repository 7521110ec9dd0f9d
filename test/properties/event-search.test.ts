import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { EventMatches } from '#apps/api/jobs/record/event-matches.js';
import { JobTimelines } from '#apps/api/jobs/record/job-timelines.js';
import { jobDecider } from '#domain/job/decider.js';
import { containsText } from '#domain/job/event-matches.js';
import { jobStream } from '#domain/stream-names.js';
import { AggregateStore, readRecorded } from '#event-store/aggregate-store.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { insert, start } from '#test/domain/job-cases.js';
import { named } from '#test/support/named.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';
import { tries } from '#test/support/tries.js';

let server: TestServer;
let log: EventStore;

beforeAll(async () => {
  server = await startTestEventStore();
  log = connectEventStore(server.url);
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

const word = fc.constantFrom('sky', 'Blue', 'sea', 'ticked');
const words = fc.array(word, { minLength: 1, maxLength: 8 });

test('a search finds the same events, however much text of the job is in memory, also those that came since', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ added: words, asked: word }), { minLength: 1, maxLength: 3 }),
      fc.nat(20_000),
      async (steps, maxTextCharacters) => {
        const seed = `${named('search')}-${randomUUID()}`;
        const store = new AggregateStore(log, jobDecider, { writeFailure: 'MEMORY_WRITE_FAIL' });
        const matches = new EventMatches(log, new JobTimelines(log, maxTextCharacters));
        const execute = (commands: Parameters<typeof store.execute>[1]) =>
          store.execute(jobStream(seed), commands, {
            ...{ command_id: randomUUID(), body_hash: '', actor: 'agent', trace_id: '' },
          });
        await execute([{ ...start(), job_seed: seed }]);
        for (const { added, asked } of steps) {
          await execute(added.map((value) => insert(value)));
          const expected: number[] = [];
          for await (const event of readRecorded(log, jobStream(seed)))
            if (containsText(event, asked.toLowerCase())) expected.push(event.number);
          expect(await matches.of(seed, { text: asked })).toStrictEqual(expected);
          const both = { text: asked, words: `ticked "${asked}" job_st` };
          expect(await matches.of(seed, both)).toStrictEqual([]);
          expect(await matches.of(seed, { words: `"${asked}" ${asked}` })).toStrictEqual(expected);
        }
      },
    ),
    { numRuns: tries(25) },
  );
});
