import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { AGGREGATES, categoryOf, forged, replayOf } from './golden-streams.js';

const FOLDER = new URL('./streams/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** What the replay of each recorded stream came to when it was recorded. */
const EXPECTED = JSON.parse(textOf('expected.json')) as Readonly<
  Record<string, { readonly content_hash: string; readonly state_hash: string }>
>;
const FILES = Object.keys(EXPECTED);

/** A recorded stream is never changed: a rule that reads an old one differently shows up as a divergence. */
describe('The streams of earlier releases', () => {
  test('X1 [golden] are all still here', () => {
    const found = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'));
    assert.deepEqual(found.sort(), [...FILES].sort());
  });

  for (const { category, types } of AGGREGATES)
    test(`X1 [golden] hold every type of event of the category ${category}`, () => {
      const texts = FILES.map(textOf).filter((text) => categoryOf(text) === category);
      for (const type of types)
        assert.ok(
          texts.some((text) => text.includes(`"type":"${type}"`)),
          type,
        );
    });

  for (const [file, expected] of Object.entries(EXPECTED)) {
    test(`X1 [golden] ${file} replays today as it was recorded`, () => {
      const { content_hash, state_hash } = replayOf(textOf(file));
      assert.deepEqual({ content_hash, state_hash }, expected);
    });

    test(`X1 [golden] ${file} fails where its history is changed, though its chain is computed anew`, () => {
      const changed = forged(textOf(file), (event) => ({
        ...event,
        data: { ...event.data, changed: true },
      }));
      assert.throws(() => assert.equal(replayOf(changed).content_hash, expected.content_hash));
    });
  }
});
