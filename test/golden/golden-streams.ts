import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import type { Decider, DomainEvent } from '#domain/decider.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { ensure } from '#test/support/ensure.js';

const FOLDER = new URL('./streams/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** What the replay of a file must come to. */
interface Replayed {
  readonly content_hash: string;
  readonly state_hash?: string;
}

/**
 * The tests of recorded streams, by file, for each schema version that was ever released: none is gone, and
 * each replays as it was recorded. A file is never changed: a rule that would read an old stream differently
 * shows up as a divergence.
 * @param what is recorded there, as the title says it; the names of its files begin with `prefix`.
 */
export function testStreams<State, Command, Event extends DomainEvent>(
  what: string,
  prefix: string,
  decider: Decider<State, Command, Event>,
  expected: Readonly<Record<string, Replayed>>,
): void {
  test(`X1 [golden] every ${what} of an earlier release is still here`, () => {
    const files = readdirSync(FOLDER).filter((name) => name.startsWith(prefix));
    expect(files.sort()).toStrictEqual(Object.keys(expected).sort());
  });

  for (const [file, { content_hash, state_hash }] of Object.entries(expected)) {
    test(`X1 [golden] ${file} replays today as it was recorded`, async () => {
      const { finding, replay } = await verifyBundle(
        decider,
        textOf(file).split('\n').slice(0, -1),
      );
      expect(finding).toStrictEqual(undefined);
      ensure(replay?.identical === true);
      expect(replay.content_hash).toBe(content_hash);
      if (state_hash !== undefined) expect(replay.state_hash).toBe(state_hash);
    });
  }
}

/** Fails unless these files together hold an event of every one of these types. */
export function assertHoldTypes(files: readonly string[], types: readonly string[]): void {
  const text = files.map(textOf).join('');
  for (const type of types)
    expect([type, text.includes(`"type":"${type}"`)]).toStrictEqual([type, true]);
}
