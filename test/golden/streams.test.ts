import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { AGGREGATES, categoryOf, forged, replayOf } from './golden-streams.js';

const FOLDER = new URL('./streams/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** The hashes from the replay of each stream when the stream was recorded. */
const EXPECTED = JSON.parse(textOf('expected.json')) as Readonly<
  Record<string, { readonly content_hash: string; readonly state_hash: string }>
>;
const FILES = Object.keys(EXPECTED);

/** Recorded streams never change, so these tests fail if a rule reads a stream differently. */
describe('Streams of earlier releases', () => {
  test('X1 [golden] the folder has every recorded stream', () => {
    const found = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'));
    expect(found.sort()).toStrictEqual([...FILES].sort());
  });

  for (const { category, types } of AGGREGATES)
    test(`X1 [golden] the recorded streams of the category ${category} contain each of its event types`, () => {
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

    test(`X1 [golden] ${file} fails to replay if its history is changed, even with recomputed hashes`, () => {
      const changed = forged(textOf(file), (event) => ({
        ...event,
        data: { ...event.data, changed: true },
      }));
      expect(() => expect(replayOf(changed).content_hash).toBe(expected.content_hash)).toThrow();
    });
  }
});
