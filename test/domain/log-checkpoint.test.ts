import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sorted } from '#checkpoints/sorted.js';
import { fold } from '#domain/decider.js';
import { logCheckpointDecider } from '#domain/log-checkpoint/log-checkpoint.decider.js';
import { finished } from '#domain/slices.js';

const AT = '2026-01-31T12:00:00.000Z';
const MAKE = {
  type: 'make',
  ...{ checkpoint_id: 'a', created_at: AT, made_at: AT, position: '9', events: 9 },
  ...{ streams: 2, found: 0, key_id: 'k', sha256: 'f'.repeat(64), bytes: 512 },
  places: ['file:///a', 's3://b'],
} as const;
const KEEP = { type: 'keep', place: 's3://b', at: AT, locked_until: AT } as const;
const FAIL = { type: 'fail_to_keep', place: 's3://b', at: AT, problem: 'refused' } as const;

type Command = Parameters<typeof logCheckpointDecider.decide>[0];

/** Returns the types of the events that each command makes, one after the other. */
function typesOf(...commands: readonly Command[]): readonly (readonly string[])[] {
  let state = logCheckpointDecider.initialState('checkpoint-a');
  return commands.map((command) => {
    const events = logCheckpointDecider.decide(command, state);
    state = fold(logCheckpointDecider, state, events);
    return events.map(({ type }) => type);
  });
}

describe('I6 A checkpoint of the log', () => {
  it('is made once', () => {
    expect(typesOf(MAKE, MAKE)).toStrictEqual([['checkpoint_made'], []]);
  });

  it('records that a place failed once for each reason, and that it keeps the file', () => {
    const other = { ...FAIL, problem: 'unreachable' } as const;
    expect(typesOf(MAKE, FAIL, FAIL, other, KEEP, KEEP, FAIL)).toStrictEqual([
      ['checkpoint_made'],
      ['checkpoint_not_kept'],
      [],
      ['checkpoint_not_kept'],
      ['checkpoint_kept'],
      [],
      [],
    ]);
  });

  it('has no place that it was not made for', () => {
    expect(typesOf(KEEP, MAKE, { ...KEEP, place: 's3://other' })).toStrictEqual([
      [],
      ['checkpoint_made'],
      [],
    ]);
  });

  it('has its heads in the order of their names, sorted in slices', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 3_000, size: 'max' }), (names) => {
        const before = (left: string, right: string): boolean => left < right;
        expect(finished(sorted(names, before))).toStrictEqual([...names].sort());
      }),
      { numRuns: 20 },
    );
  });
});
