import { describe, expect, it } from '@jest/globals';
import { Refusal } from '#domain/errors/refusal.js';
import { SealedCursors } from '../../apps/api/platform/http/sealed-cursors.js';

const OLD = 'u3Vn0cK2hQ7wLr9tZx5yBm8dPf4gJs6a';
const NEW = 'b7Tq1xM4kS9vEp2nWc6zRh8gLd3jYf5u';

/** The longest name of a store: a session's id has at most 128 characters. */
const LONGEST = `memory-session:${'\u{1f600}'.repeat(128)}`;

describe('A sealed cursor', () => {
  const before = new SealedCursors({ sealingKey: OLD, oldSealingKeys: [] });
  const after = new SealedCursors({ sealingKey: NEW, oldSealingKeys: [OLD] });

  it('opens to its place, also with an earlier key of the installation', () => {
    for (const place of ['', ' 1', 'memory-session:a\nb', LONGEST]) {
      const cursor = before.seal('memory stores', place);
      expect(cursor.length).toBeLessThanOrEqual(4_096);
      expect(before.open('memory stores', cursor)).toBe(place);
      expect(after.open('memory stores', cursor)).toBe(place);
    }
  });

  it('does not open with the key of another installation or for another list', () => {
    const cursor = after.seal('memory stores', '1');
    expect(() => before.open('memory stores', cursor)).toThrow(Refusal);
    expect(() => after.open('memory sessions', cursor)).toThrow(Refusal);
  });

  it('has the same length for every place of a usual length', () => {
    const lengths = [1, 20, 143].map((length) => after.seal('memory stores', 'x'.repeat(length)));
    expect(new Set(lengths.map((cursor) => cursor.length)).size).toBe(1);
  });
});
