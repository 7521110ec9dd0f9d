import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '#domain/decider.js';
import type { SemCommand } from '#domain/sem/decide.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { semStream } from '#domain/stream-names.js';
import { playFor } from '#test/domain/given.js';

const STREAM = semStream('world/fact/ohms_law/definition');
const second = fc.integer({ min: 0, max: 5 });
const at = second.map((of) => `2025-11-29T12:00:0${of}Z`);
const source = fc.constantFrom('user', 'system', 'agent:a', 'agent:b');
const now = '2025-11-29T12:00:00.000Z';
const write = fc.record({
  type: fc.constant('put' as const),
  value: fc.jsonValue().map((value) => JSON.stringify(value)),
  timestamp: at,
  source,
  notes: fc.constant(null),
  meta: fc.constant(null),
  now: fc.constant(now),
});
const command: fc.Arbitrary<SemCommand> = fc.oneof(
  { weight: 4, arbitrary: write },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      timestamp: at,
      source,
      now: fc.constant(now),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('claim' as const),
      title: fc.constantFrom('A', 'a ', 'b', 'c'),
    }),
  },
);

const play = playFor(semDecider, STREAM);

test('deciding the recorded inputs of a fact again gives the same events', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const { events } = play(commands);
      expect(play(events.map((event) => semDecider.commandOf(event))).events).toStrictEqual(events);
    }),
  );
});

test('folding a fact’s stream in two halves gives the same state as folding it whole', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), fc.nat(30), (commands, cut) => {
      const { events, state } = play(commands);
      const half = fold(semDecider, semDecider.initialState(STREAM), events.slice(0, cut));
      expect(fold(semDecider, half, events.slice(cut))).toStrictEqual(state);
    }),
  );
});

test('the write with the largest timestamp and source wins, in whatever order the writes arrive', () => {
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 20 }), (writes) => {
      const largest = writes
        .map(({ timestamp, source }) => `${timestamp} ${source}`)
        .sort()
        .at(-1);
      const fact = play(writes).state.winner?.fact;
      expect(`${fact?.timestamp.replace('.000', '')} ${fact?.source}`).toBe(largest);
    }),
  );
});

test('no two titles own one key, and a title never changes its key', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const { events, state } = play(commands);
      const claims = events.filter(
        ({ type }) => type === 'key_claimed' || type === 'collision_event',
      );
      expect(new Set(state.claims.values()).size).toBe(state.claims.size);
      expect(claims).toHaveLength(state.claims.size);
    }),
  );
});
