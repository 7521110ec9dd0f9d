import { describe, expect, it } from '@jest/globals';
import type { Held } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { filterOf } from '#domain/note/filter.js';
import { isBelow, matchesNamespace } from '#domain/note/namespaces.js';
import { type NoteCommand, noteDecider } from '#domain/note/note.decider.js';
import { givenFor } from './given.js';

const STREAM = `note-${'0'.repeat(64)}`;
const given = givenFor(noteDecider, STREAM);
const second = (n: number): string => `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`;

const put = (
  at: number,
  value: unknown,
  more: { ttl_seconds?: number; if_version?: number } = {},
): NoteCommand => ({
  type: 'put',
  owner: 'user:mira',
  namespace: ['plans'],
  key: 'today',
  ...({ value } as Held),
  ttl_seconds: null,
  at: second(at),
  ...more,
});
const remove = (at: number, if_version?: number): NoteCommand => ({
  type: 'delete',
  at: second(at),
  ...(if_version === undefined ? {} : { if_version }),
});
const expire = (at: number): NoteCommand => ({ type: 'expire', at: second(at) });

describe('The decider of a note', () => {
  it('N1 a put records the whole note with its times', () => {
    given()
      .when(put(1, 'rest', { ttl_seconds: 5 }))
      .then({
        type: 'note_put',
        data: {
          owner: 'user:mira',
          namespace: ['plans'],
          key: 'today',
          value: 'rest',
          created_at: second(1),
          updated_at: second(1),
          ttl_seconds: 5,
          expires_at: second(6),
        },
      });
  });

  it('N1 a note keeps the time of its first put until it ceases to exist', () => {
    const created = (...commands: NoteCommand[]) =>
      given()
        .when(...commands)
        .state().note?.created_at;
    expect(created(put(1, 1), put(2, 2))).toBe(second(1));
    expect(created(put(1, 1), remove(2), put(3, 2))).toBe(second(3));
    // The time to live has passed, although no event has recorded it yet.
    expect(created(put(1, 1, { ttl_seconds: 1 }), put(2, 2))).toBe(second(2));
    expect(created(put(1, 1, { ttl_seconds: 2 }), put(2, 2))).toBe(second(1));
  });

  it('N3 a note that does not exist has version 0, whatever happened before', () => {
    given()
      .when(put(1, 1, { if_version: 0 }), put(2, 2, { if_version: 1 }))
      .thenTypes('note_put', 'note_put');
    given()
      .when(put(1, 1), put(2, 2, { if_version: 0 }))
      .thenRefused('VERSION_CONFLICT');
    given()
      .when(put(1, 1), put(2, 2, { if_version: 2 }))
      .thenRefused('VERSION_CONFLICT');
    given()
      .when(put(1, 1), remove(2), put(3, 1, { if_version: 2 }))
      .thenRefused('VERSION_CONFLICT');
    given()
      .when(put(1, 1, { ttl_seconds: 1 }), put(2, 2, { if_version: 0 }))
      .thenTypes('note_put', 'note_put');
    given().when(put(1, 1), remove(2, 2)).thenRefused('VERSION_CONFLICT');
  });

  it('N3 only a note that exists is deleted', () => {
    given().when(remove(1)).thenRefused('NOT_FOUND');
    given().when(put(1, 1), remove(2), remove(3)).thenRefused('NOT_FOUND');
    given()
      .when(put(1, 1, { ttl_seconds: 1 }), remove(2))
      .thenRefused('NOT_FOUND');
  });

  it('N3 a note expires once, and not before its time', () => {
    const brief = put(1, 1, { ttl_seconds: 4 });
    given().when(brief, expire(4)).thenTypes('note_put');
    given().when(brief, expire(5), expire(6)).thenTypes('note_put', 'note_expired');
    given().when(brief, put(2, 2), expire(9)).thenTypes('note_put', 'note_put');
    given().when(brief, remove(2), expire(9)).thenTypes('note_put', 'note_deleted');
    given().when(expire(1)).then();
  });

  it.each([
    ['a value of more than 64 KB', put(1, 'x'.repeat(65_535))],
    ['a value that JCS cannot carry', put(1, { n: NaN })],
    ['a time to live of no whole seconds', put(1, 1, { ttl_seconds: 0.5 })],
  ])('N1 %s is refused', (_, command) => given().when(command).thenRefused('INVALID_INPUT'));
});

describe('A filter of notes', () => {
  const meets = (filter: JsonObject, held: Held) => filterOf(filter)(held);

  it('N3 compares numbers with numbers and strings with strings, by code points', () => {
    expect(meets({ '/a': { gt: 9 } }, { value: { a: 10 } })).toBe(true);
    expect(meets({ '/a': { gt: '9' } }, { value: { a: '10' } })).toBe(false);
    expect(meets({ '/a': { gt: 9 } }, { value: { a: '10' } })).toBe(false);
    expect(meets({ '/a': { lt: '🙂' } }, { value: { a: '\uffff' } })).toBe(true);
    expect(meets({ '/a': { eq: { x: 1, y: [2] } } }, { value: { a: { y: [2], x: 1 } } })).toBe(
      true,
    );
    expect(meets({ '/a': { eq: 1 } }, { value: { a: true } })).toBe(false);
  });

  it.each<[JsonObject, Json[]]>([
    [{ '/a': { gte: 3 } }, [{ a: 3 }, { a: 10 }]],
    [{ '/a': { gt: 3, lt: 10 } }, []],
    [{ '/a': { lte: 10, ne: 3 } }, [{ a: 10 }]],
    [{ '/a': { ne: 3 } }, [{ a: 10 }, { a: null }, { a: ['x'] }, 'text', 7]],
    [{ '/a': { eq: null } }, [{ a: null }]],
    [{ '/a/0': { eq: 'x' } }, [{ a: ['x'] }]],
    [{ '/a': { eq: ['x'] } }, [{ a: ['x'] }]],
    [{ '': { eq: 'text' } }, ['text']],
    [{ '': { gte: 7 } }, [7]],
    [{}, [{ a: 3 }, { a: 10 }, { a: null }, { a: ['x'] }, 'text', 7]],
  ])('N3 %j is met by %j, and a missing field only by ne', (filter, expected) => {
    const values: Json[] = [{ a: 3 }, { a: 10 }, { a: null }, { a: ['x'] }, 'text', 7];
    expect(values.filter((value) => meets(filter, { value }))).toStrictEqual(expected);
  });

  it.each<JsonObject>([
    { color: { eq: 1 } },
    { '/color': 'red' },
    { '/color': { like: 'r' } },
    { '/color': { gt: null } },
    { '/color': { toString: 1 } },
  ])('N3 cannot be %j', (filter) => {
    expect(() => filterOf(filter)).toThrow(
      expect.objectContaining({ name: 'Refusal', code: 'INVALID_INPUT' }),
    );
  });

  it('P5 sees no field of a sealed value', () => {
    const held = { sealed: { jwe: 'a.b.c', type: 'email' } };
    expect(meets({ '/jwe': { eq: 'a.b.c' } }, held)).toBe(false);
    expect(meets({ '': { ne: 1 } }, held)).toBe(true);
    expect(meets({}, held)).toBe(true);
  });
});

describe('Namespaces', () => {
  it('N1 compare by whole components', () => {
    expect(isBelow(['acme', 'eu'], ['acme'])).toBe(true);
    expect(isBelow(['acme-corp'], ['acme'])).toBe(false);
    expect(isBelow(['acme'], ['acme', 'eu'])).toBe(false);
    expect(isBelow(['acme'], [])).toBe(true);
  });

  it('match a prefix and a suffix in which * stands for one component', () => {
    expect(matchesNamespace(['a', 'b', 'c'], ['*', 'b'], ['c'])).toBe(true);
    expect(matchesNamespace(['a', 'b', 'c'], ['*', 'c'], [])).toBe(false);
    expect(matchesNamespace(['a'], ['*', '*'], [])).toBe(false);
    expect(matchesNamespace(['a', 'b'], ['a'], ['*', 'b'])).toBe(true);
  });
});
