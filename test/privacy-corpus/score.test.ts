import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RULES, ruleSetOf } from '#domain/privacy/rule-set.js';
import { corpus, REGIONS, type Example, type Part } from './corpus.js';
import { outcomeOf, precision, recall, scoresOf, type Scores } from './measure.js';

const scores = (part: Part, rules = ruleSetOf(REGIONS)): Scores =>
  scoresOf(corpus(part, 1, 3), rules);

/** docs/privacy-detector.md has the figures; these floors leave room for examples with other seeds. */
const FLOORS = {
  train: { recall: 0.99, precision: 0.99, structured: 0.99 },
  held: { recall: 0.97, precision: 0.98, structured: 0.97 },
} as const;

describe.each(['train', 'held'] as const)('The detector on the part %s (SPEC P1, P2)', (part) => {
  const { total, structured } = scores(part);

  test('finds enough and raises few false alarms', () => {
    expect(recall(total)).toBeGreaterThanOrEqual(FLOORS[part].recall);
    expect(precision(total)).toBeGreaterThanOrEqual(FLOORS[part].precision);
    expect(recall(structured)).toBeGreaterThanOrEqual(FLOORS[part].structured);
    expect(precision(structured)).toBeGreaterThanOrEqual(FLOORS[part].structured);
  });

  test('leaves no piece of what it finds', () => {
    expect(total.leaking).toBe(0);
  });
});

test('the default regions find the other types and most phones', () => {
  expect(recall(scores('held', DEFAULT_RULES).total)).toBeGreaterThanOrEqual(0.95);
});

describe('The measure', () => {
  const example = (value: string, ...texts: readonly string[]): Example => ({
    template: 'test',
    language: 'en',
    region: 'US',
    value,
    spans: texts.map((text) => {
      const start = value.indexOf(text);
      const end = start + text.length;
      return { type: 'phone', path: [], in_key: false, start, end, plain: text };
    }),
  });

  test('counts a span that no finding covers wholly as missed and as leaking', () => {
    const text = 'my phone: 202-555-0147, extension 4711';
    const { missed, leaking } = outcomeOf(
      example(text, '202-555-0147, extension 4711'),
      DEFAULT_RULES,
    );
    expect([missed.length, leaking.length]).toStrictEqual([1, 1]);
  });

  test('counts a finding that overlaps no span as a false alarm', () => {
    const { falseAlarms } = outcomeOf(example('my phone: 202-555-0147'), DEFAULT_RULES);
    expect(falseAlarms.map(({ type }) => type)).toStrictEqual(['phone']);
  });
});
