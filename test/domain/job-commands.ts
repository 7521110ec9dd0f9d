import fc from 'fast-check';
import type { JobCommand } from '#domain/job/commands.js';
import { WM_TYPES } from '#domain/job/entry.js';
import type { Json, JsonObject } from '#domain/json.js';
import { end, episode, goal, insert, item, start, tick, use, useItem } from './job-cases.js';

const words = fc
  .array(fc.constantFrom('rome', 'train', 'hotel', 'Ünit', '7', '\u{1f600}'), { maxLength: 4 })
  .map((chosen) => chosen.join(' '));

const value: fc.Arbitrary<Json> = fc.oneof(
  words,
  fc.record({ city: words, n: fc.integer() }),
  fc
    .jsonValue({ maxDepth: 2 })
    .filter((json) => !JSON.stringify(json).includes('\\u')) as fc.Arbitrary<Json>,
);

const counter = fc.nat({ max: 12 });

/** Generates a command; most are valid, and some name missing entries. */
const command: fc.Arbitrary<JobCommand> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        value,
        fc.constantFrom(...WM_TYPES),
        fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
      )
      .map(([json, type, ttl]) => insert(json, type, ttl)),
  },
  { weight: 8, arbitrary: counter.map(use) },
  { weight: 4, arbitrary: counter.map(useItem) },
  { weight: 6, arbitrary: fc.constant(tick) },
  { weight: 1, arbitrary: words.map(goal) },
  { weight: 1, arbitrary: words.map((text) => episode(text, { text })) },
  {
    weight: 1,
    arbitrary: counter.map((n): JobCommand => ({
      op: 'memory_read',
      kind: 'cwm_find',
      ids: [item(n)],
    })),
  },
);

const constants: fc.Arbitrary<JsonObject> = fc.record({
  promotion_references: fc.integer({ min: 1, max: 3 }),
  promotion_window: fc.integer({ min: 1, max: 4 }),
  wm_default_ttl_ticks: fc.integer({ min: 1, max: 4 }),
  cwm_ttl_ticks: fc.integer({ min: 1, max: 4 }),
  cwm_token_budget: fc.integer({ min: 1, max: 30 }),
});

/** Generates the commands of a job from its start, sometimes with an end and further commands. */
export const jobRuns: fc.Arbitrary<JobCommand[]> = fc
  .tuple(constants, fc.option(words), fc.array(command, { maxLength: 60 }), fc.boolean())
  .map(([chosen, topic, commands, ends]) => [
    start(chosen, { goal: topic }),
    ...commands,
    ...(ends ? [end, tick] : []),
  ]);
