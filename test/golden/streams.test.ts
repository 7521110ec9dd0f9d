import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { AGGREGATES, categoryOf, forged, replayOf } from './golden-streams.js';

const FOLDER = new URL('./streams/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** The results of the replays when the streams were recorded. */
const EXPECTED = JSON.parse(textOf('expected.json')) as Readonly<
  Record<string, { readonly content_hash: string; readonly state_hash: string }>
>;
const FILES = Object.keys(EXPECTED);

/** A recorded stream never changes, so a rule that reads it differently fails the test. */
describe('The streams of earlier releases', () => {
  test('X1 [golden] all exist', () => {
    const found = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'));
    expect(found.sort()).toStrictEqual([...FILES].sort());
  });

  for (const { category, types } of AGGREGATES)
    test(`X1 [golden] contain every event type of the category ${category}`, () => {
      const texts = FILES.map(textOf).filter((text) => categoryOf(text) === category);
      for (const type of types)
        expect([type, texts.some((text) => text.includes(`"type":"${type}"`))]).toStrictEqual([
          type,
          true,
        ]);
    });

  for (const [file, expected] of Object.entries(EXPECTED)) {
    test(`X1 [golden] ${file} replays today exactly as recorded`, () => {
      const { content_hash, state_hash } = replayOf(textOf(file));
      expect({ content_hash, state_hash }).toStrictEqual(expected);
    });

    test(`X1 [golden] ${file} fails if its history is changed, even with recomputed hashes`, () => {
      const changed = forged(textOf(file), (event) => ({
        ...event,
        data: { ...event.data, changed: true },
      }));
      expect(() => expect(replayOf(changed).content_hash).toBe(expected.content_hash)).toThrow();
    });
  }
});
