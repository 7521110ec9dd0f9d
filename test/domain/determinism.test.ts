import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { v5 } from 'uuid';
import {
  canonicalJson,
  canonicalSize,
  sameJson,
  uncarriable,
} from '#domain/determinism/canonical-json.js';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { chainHash, CHAIN_START } from '#domain/determinism/hash-chain.js';
import {
  byteOrder,
  cwmItemId,
  episodicId,
  MACE_NAMESPACE,
  seededUuid,
  wmCounter,
  wmId,
} from '#domain/determinism/ids.js';
import { givenBase, seededBase, seededTimestamp } from '#domain/determinism/seeded-clock.js';
import type { Json } from '#domain/json.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const json = () => fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) as fc.Arbitrary<Json>;

test('I5 canonical JSON equals the reference library’s output for any value', () => {
  fc.assert(
    fc.property(json(), (value) => expect(canonicalJson(value)).toBe(canonicalize(value))),
    { numRuns: 300 },
  );
});

test('I5 object keys are sorted by UTF-16 code units, in small and large objects', () => {
  const keys = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 80 });
  fc.assert(
    fc.property(keys, (names) => {
      const value = Object.fromEntries(names.map((name, index) => [name, index]));
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
  );
  expect(
    canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6 }),
  ).toBe('{"\\r":2,"1":4,"\u0080":6,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
});

test('I5 numbers are written as RFC 8785 requires', () => {
  expect(canonicalJson([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
  );
});

test('I5 a value that is not JSON has no canonical form', () => {
  for (const value of [undefined, NaN, Infinity, 1n, () => 1, [undefined], { a: -Infinity }])
    expect(() => canonicalJson(value)).toThrow(TypeError);
});

test('I5 a value that JCS cannot represent or Postgres cannot store is reported by its place in the JSON, and the report never contains the value', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;
  const cases: [unknown, RegExp][] = [
    [{ a: [NaN] }, /^\/a\/0: not a finite number/],
    [{ a: Infinity }, /^\/a: not a finite number/],
    [{ a: 'x\ud800' }, /^\/a: lone surrogate/],
    [{ 'k\udc00': 1 }, /lone surrogate in a key/],
    [{ a: 2 ** 53 }, /^\/a: integer outside/],
    [{ a: -(2 ** 53) }, /^\/a: integer outside/],
    ['secret\u0000', /^the value: U\+0000$/],
    [{ 'k\u0000': 1 }, /U\+0000 in a key/],
    [nested(10_000), /nested deeper than 64/],
    [undefined, /not JSON/],
  ];
  for (const [value, reason] of cases) expect(uncarriable(value) ?? 'carriable').toMatch(reason);
  const fine = { a: 2 ** 53 - 1, b: [1.5, null, true, '\u{1f600}'], c: nested(60) };
  expect(uncarriable(fine)).toBeUndefined();
});

test('I5 two values are equal if their canonical forms are equal', () => {
  fc.assert(
    fc.property(json(), json(), (left, right) => {
      expect(sameJson(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
      expect(sameJson(left, JSON.parse(canonicalJson(left)) as Json)).toBe(true);
    }),
  );
  expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(sameJson({ a: 1 }, { b: 1 })).toBe(false);
  expect(sameJson([], {})).toBe(false);
});

test('I3 the time in a UUIDv7 or ULID seed is the base of the seeded time', () => {
  expect(seededTimestamp(seededBase('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), 0)).toBe(
    '2022-02-22T19:22:22.000Z',
  );
  expect(seededTimestamp(seededBase('017F22E2-79B0-7CC3-98C4-DC0C0C07398F'), 5)).toBe(
    '2022-02-22T19:22:22.005Z',
  );
  expect(seededBase('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(1_469_922_850_259);
});

test('I3 for any other seed, including other UUID versions, the base is derived from the seed’s hash and lies in the ten years from 2025', () => {
  for (const seed of ['seed-1', 'a3bb189e-8bf9-4888-9912-ace4e6543002', 'job']) {
    const spread = parseInt(sha256(seed).slice(0, 8), 16) % 315_360_000;
    expect(seededBase(seed)).toBe(Date.parse('2025-01-01T00:00:00.000Z') + spread * 1_000);
  }
});

test('I3 a seeded epoch replaces the base', () => {
  const base = seededBase('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '2030-01-02T03:04:05.678Z');
  expect(seededTimestamp(base, 1)).toBe('2030-01-02T03:04:05.679Z');
});

test('W6 a runtime gives a time as an epoch or as a UUIDv7 or ULID seed, and any other seed gives none', () => {
  for (const seed of ['017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '01ARZ3NDEKTSV4RRFFQ69G5FAV'])
    expect(givenBase(seed)).toBe(seededBase(seed));
  expect(givenBase('seed-1', '2030-01-02T03:04:05.678Z')).toBe(1_893_553_445_678);
  for (const seed of ['seed-1', 'a3bb189e-8bf9-4888-9912-ace4e6543002', 'request-1'])
    expect(givenBase(seed)).toBeUndefined();
});

test('I4 a seeded id is the UUIDv5 of a canonical JSON array in the product’s one namespace', () => {
  const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) =>
      expect(seededUuid(parts)).toBe(v5(canonicalJson(parts), MACE_NAMESPACE)),
    ),
  );
  expect(episodicId('s', 1)).toBe(`ep:${v5('["s","episode",1]', MACE_NAMESPACE)}`);
});

test('I4 wm_ids are compared by their counter, and other ids by their bytes', () => {
  expect(wmId('a:b', 12)).toBe('wm:a:b:12');
  expect(cwmItemId('wm:a:b:12')).toBe('cwmi:wm:a:b:12');
  expect(wmCounter('wm:a:b:12')).toBe(12);
  expect(wmCounter('wm:s:9')).toBeLessThan(wmCounter('wm:s:10'));
  expect(byteOrder('wm:s:9', 'wm:s:10')).toBeGreaterThan(0);
  expect(byteOrder('\ufb33', '\u{1f600}')).toBeLessThan(0);
});

test('I4 the byte order of ids is the order of their UTF-8 bytes', () => {
  const unit = fc.constantFrom(
    'a',
    'b',
    '\u00e4',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  );
  const id = fc.oneof(fc.string({ unit, maxLength: 5 }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(id, id, (left, right) =>
      expect(Math.sign(byteOrder(left, right))).toBe(
        Buffer.compare(Buffer.from(left), Buffer.from(right)),
      ),
    ),
  );
});

test('I5 the size of a value is the size of its canonical text in UTF-8', () => {
  fc.assert(
    fc.property(json(), (value) =>
      expect(canonicalSize(value)).toBe(Buffer.byteLength(canonicalJson(value))),
    ),
  );
});

test('I6 an event’s hash covers the previous hash and everything in the event except the hash itself', () => {
  const event = {
    stream: 'job-ä"1',
    number: 3,
    type: 'ticked',
    data: { tick: 1 },
    metadata: { event_id: 'e', seeded_ts: 't', hash: 'own', trace_id: undefined },
  } as never;
  const expected = {
    prev: CHAIN_START,
    stream: 'job-ä"1',
    number: 3,
    event_id: 'e',
    type: 'ticked',
    data: { tick: 1 },
    metadata: { event_id: 'e', seeded_ts: 't' },
  };
  expect(chainHash(CHAIN_START, event)).toBe(sha256(canonicalize(expected) ?? ''));
});

test('I7 the command id and body hash of an automatic step depend only on the event that causes the step', () => {
  const body_hash = sha256('["job-a","1b9d6bcd-bbfd-5b2d-9b5d-ab8dfbbd4bed"]');
  const event_id = '1b9d6bcd-bbfd-5b2d-9b5d-ab8dfbbd4bed';
  expect(identityOfStep(event_id, ['job-a', event_id], 'trace-1')).toStrictEqual({
    command_id: event_id,
    body_hash,
    actor: 'system',
    trace_id: 'trace-1',
    evidence: { caused_by: event_id },
  });
});
