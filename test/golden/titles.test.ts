import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The stage and, from number 1 on, the severity of each golden test. Document 002 gives the severities of
 * T1 to T32; a test of another series has that of the T that asks the same, or else of what it protects.
 */
const SERIES: readonly (readonly [series: string, stage: number, severities: string])[] = [
  [
    '002-T',
    0,
    `high high medium medium medium low critical critical high high medium high high high medium high
     high critical high critical critical medium critical high high critical medium medium critical
     medium critical medium`,
  ],
  ['002-key-T', 0, 'high medium high low high high medium'],
  ['002-log-T', 0, 'critical critical critical medium critical'],
  ['002-R-T', 0, 'high high high medium medium medium critical'],
  ['004-G', 0, 'critical critical high critical'],
  ['000-M-T', 1, 'critical critical critical critical critical critical critical critical'],
];

/** The tags of each golden test by its id. */
const TAGS = new Map(
  SERIES.flatMap(([series, stage, severities]) =>
    severities
      .split(/\s+/)
      .map((severity, index) => [
        `${series}${index + 1}`,
        ` [stage${stage}] [golden] [${severity}]`,
      ]),
  ),
);

/** A string literal that begins with ids of golden tests: a title, or the beginning of one. */
const TITLE = /(?<=['"`])((?:00[024]-(?:key-|log-|R-|M-)?[TG]\d+\b ?)+(?<! ))(.*)/g;

const folder = join(import.meta.dirname, '..');
const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(TITLE)])
  .flatMap(([, ids = '', text = '']) => ids.split(' ').map((id) => ({ id, text })));

test('each golden test of the documents is in the title of a test', () => {
  const named = new Set(titles.map(({ id }) => id));
  expect([...TAGS.keys()].filter((id) => !named.has(id))).toStrictEqual([]);
});

test('each title that begins with the id of a golden test has its stage, the tag golden, and its severity', () => {
  const untagged = titles.filter(
    ({ id, text }) => !text.startsWith(TAGS.get(id) ?? ' (no such test)'),
  );
  expect(untagged).toStrictEqual([]);
});
