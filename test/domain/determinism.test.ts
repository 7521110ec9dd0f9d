import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
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
import { seededBase, seededTimestamp } from '#domain/determinism/seeded-clock.js';
import type { Json } from '#domain/json.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const json = () => fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) as fc.Arbitrary<Json>;

test('I5 canonical JSON is what the reference library writes, for any value', () => {
  fc.assert(
    fc.property(json(), (value) => assert.equal(canonicalJson(value), canonicalize(value))),
    { numRuns: 300 },
  );
});

test('I5 keys are sorted by UTF-16 code units, also when there are many', () => {
  const keys = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 80 });
  fc.assert(
    fc.property(keys, (names) => {
      const value = Object.fromEntries(names.map((name, index) => [name, index]));
      assert.equal(canonicalJson(value), canonicalize(value));
    }),
  );
  assert.equal(
    canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6 }),
    '{"\\r":2,"1":4,"\u0080":6,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
  );
});

test('I5 numbers are written as RFC 8785 asks', () => {
  assert.equal(
    canonicalJson([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0]),
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
  );
});

test('I5 what is no JSON has no canonical form', () => {
  for (const value of [undefined, NaN, Infinity, 1n, () => 1, [undefined], { a: -Infinity }])
    assert.throws(() => canonicalJson(value), TypeError);
});

test('I5 what JCS or Postgres cannot carry is named by its place, and never quoted', () => {
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
    [nested(10_000), /nested deeper than 100/],
    [undefined, /not JSON/],
  ];
  for (const [value, reason] of cases) assert.match(uncarriable(value) ?? 'carriable', reason);
  const fine = { a: 2 ** 53 - 1, b: [1.5, null, true, '\u{1f600}'], c: nested(90) };
  assert.equal(uncarriable(fine), undefined);
});

test('I5 two values are the same when their canonical forms are', () => {
  fc.assert(
    fc.property(json(), json(), (left, right) => {
      assert.equal(sameJson(left, right), canonicalJson(left) === canonicalJson(right));
      assert.equal(sameJson(left, JSON.parse(canonicalJson(left)) as Json), true);
    }),
  );
  assert.equal(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 }), true);
  assert.equal(sameJson({ a: 1 }, { b: 1 }), false);
  assert.equal(sameJson([], {}), false);
});

test('I3 the time in a UUIDv7 or a ULID is the base of the seeded time', () => {
  assert.equal(
    seededTimestamp(seededBase('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), 0),
    '2022-02-22T19:22:22.000Z',
  );
  assert.equal(
    seededTimestamp(seededBase('017F22E2-79B0-7CC3-98C4-DC0C0C07398F'), 5),
    '2022-02-22T19:22:22.005Z',
  );
  assert.equal(seededBase('01ARZ3NDEKTSV4RRFFQ69G5FAV'), 1_469_922_850_259);
});

test('I3 any other seed, and a UUID of another version, begins at 2025 plus its hash in seconds', () => {
  for (const seed of ['seed-1', 'a3bb189e-8bf9-4888-9912-ace4e6543002', 'job']) {
    const spread = parseInt(sha256(seed).slice(0, 8), 16) % 315_360_000;
    assert.equal(seededBase(seed), Date.parse('2025-01-01T00:00:00.000Z') + spread * 1_000);
  }
});

test('I3 a seeded epoch replaces the base', () => {
  const base = seededBase('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '2030-01-02T03:04:05.678Z');
  assert.equal(seededTimestamp(base, 1), '2030-01-02T03:04:05.679Z');
});

test('I4 seeded ids are uuidv5 of a canonical array in the one namespace', () => {
  const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) =>
      assert.equal(seededUuid(parts), v5(canonicalJson(parts), MACE_NAMESPACE)),
    ),
  );
  assert.equal(episodicId('s', 1), `ep:${v5('["s","episode",1]', MACE_NAMESPACE)}`);
});

test('I4 wm_ids compare by their counter, other ids by their bytes', () => {
  assert.equal(wmId('a:b', 12), 'wm:a:b:12');
  assert.equal(cwmItemId('wm:a:b:12'), 'cwmi:wm:a:b:12');
  assert.equal(wmCounter('wm:a:b:12'), 12);
  assert.equal(wmCounter('wm:s:9') < wmCounter('wm:s:10'), true);
  assert.equal(byteOrder('wm:s:9', 'wm:s:10') > 0, true);
  assert.equal(byteOrder('\ufb33', '\u{1f600}') < 0, true);
});

test('I4 the byte order of ids is that of their UTF-8', () => {
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
      assert.equal(
        Math.sign(byteOrder(left, right)),
        Buffer.compare(Buffer.from(left), Buffer.from(right)),
      ),
    ),
  );
});

test('I5 the size of a value is that of its canonical text in UTF-8', () => {
  fc.assert(
    fc.property(json(), (value) =>
      assert.equal(canonicalSize(value), Buffer.byteLength(canonicalJson(value))),
    ),
  );
});

test('I6 the hash of an event covers the hash before it and everything but itself', () => {
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
  assert.equal(chainHash(CHAIN_START, event), sha256(canonicalize(expected) ?? ''));
});

test('I7 a step that an event causes is the same command whoever takes it, under a hash that never changes', () => {
  const body_hash = sha256('["job-a","1b9d6bcd-bbfd-5b2d-9b5d-ab8dfbbd4bed"]');
  const event_id = '1b9d6bcd-bbfd-5b2d-9b5d-ab8dfbbd4bed';
  assert.deepEqual(identityOfStep(event_id, ['job-a', event_id], 'trace-1'), {
    command_id: event_id,
    body_hash,
    actor: 'system',
    trace_id: 'trace-1',
    evidence: { caused_by: event_id },
  });
});
