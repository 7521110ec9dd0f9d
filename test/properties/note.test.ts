import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byteOrder } from '#domain/determinism/ids.js';
import { isBelow, matchesNamespace } from '#domain/note/namespaces.js';
import { type NoteCommand, noteDecider } from '#domain/note/note.decider.js';
import { noteAt } from '#domain/note/state.js';
import { playFor } from '#test/domain/given.js';

const STREAM = `note-${'0'.repeat(64)}`;
const at = fc.integer({ min: 0, max: 59 }).map((second) => {
  const digits = String(second).padStart(2, '0');
  return `2026-01-01T00:00:${digits}.000Z`;
});
const if_version = fc.option(fc.nat(4), { nil: undefined });
const optional = (version: number | undefined) =>
  version === undefined ? {} : { if_version: version };

const command: fc.Arbitrary<NoteCommand> = fc.oneof(
  fc
    .record({
      at,
      if_version,
      ttl: fc.option(fc.integer({ min: 1, max: 30 })),
      value: fc.jsonValue(),
    })
    .map(({ at: time, if_version: version, ttl, value }) => ({
      type: 'put' as const,
      ...{ owner: 'user:mira', namespace: ['a'], key: 'k', value: JSON.stringify(value) },
      ...{ ttl_seconds: ttl, at: time, ...optional(version) },
    })),
  fc.record({ at, if_version }).map(({ at: time, if_version: version }) => ({
    type: 'delete' as const,
    at: time,
    ...optional(version),
  })),
  at.map((time) => ({ type: 'expire' as const, at: time })),
);
const commands = fc.array(command, { maxLength: 30 });
const play = playFor(noteDecider, STREAM);

test('deciding the recorded inputs of a note again gives the same events', () => {
  fc.assert(
    fc.property(commands, (given) => {
      const { events } = play(given);
      expect(play(events.map((event) => noteDecider.commandOf(event))).events).toStrictEqual(
        events,
      );
    }),
  );
});

test('N3 a note is shown at a time only if its last event is a put that has not expired then', () => {
  fc.assert(
    fc.property(commands, at, (given, time) => {
      const { events, state } = play(given);
      const last = events.at(-1);
      const expires = last?.type === 'note_put' ? last.data.expires_at : undefined;
      const exists = expires === null || (expires !== undefined && expires > time);
      expect(noteAt(state, time) !== undefined).toBe(exists);
      expect(state.version).toBe(events.length);
    }),
  );
});

const component = fc.constantFrom('acme', 'acme-corp', 'acm', 'eu', '🙂', '\uffff');
const namespace = fc.array(component, { minLength: 1, maxLength: 5 });

test('N1 a namespace is below exactly its own first components', () => {
  fc.assert(
    fc.property(namespace, fc.array(component, { maxLength: 5 }), (whole, prefix) => {
      const same = JSON.stringify(whole.slice(0, prefix.length)) === JSON.stringify(prefix);
      expect(isBelow(whole, prefix)).toBe(same);
      expect(matchesNamespace(whole, prefix, [])).toBe(same);
    }),
  );
});

test('texts are ordered as their UTF-8 bytes are', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed());
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(byteOrder(left, right))).toBe(bytes);
    }),
  );
});
