import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sameJson } from '#domain/determinism/canonical-json.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { isSignedBy } from '#domain/reflective-log/signature.js';
import { FIELDS, KEYRING, WRITTEN } from '../domain/reflective-cases.js';

const names = Object.keys(FIELDS);
const value = fc.jsonValue() as fc.Arbitrary<Json>;
const isValid = (fields: JsonObject): boolean =>
  isSignedBy(fields as unknown as ReflectiveFields, WRITTEN.signature, KEYRING);

test('L2 verification of a signature fails if any field is changed, missing or added', () => {
  const fields = FIELDS as unknown as JsonObject;
  expect(isValid(fields)).toBe(true);
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (name, changed) => {
      const same = sameJson(changed, fields[name] as Json);
      expect([name, isValid({ ...fields, [name]: changed })]).toStrictEqual([name, same]);
    }),
  );
  for (const name of names) {
    const { [name]: _, ...rest } = fields;
    expect([name, isValid(rest)]).toStrictEqual([name, false]);
  }
  expect(isValid({ ...fields, more: null })).toBe(false);
});

/** Yields the path of every string, number, boolean and null within a value. */
function* leaves(node: Json, path: readonly (string | number)[] = []): Generator<typeof path> {
  if (typeof node !== 'object' || node === null) yield path;
  else for (const [key, inner] of Object.entries(node)) yield* leaves(inner, [...path, key]);
}

function changedAt(node: Json, [step, ...rest]: readonly (string | number)[]): Json {
  if (step === undefined) return typeof node === 'string' ? `${node}.` : 'changed';
  const copy = structuredClone(node) as Record<string, Json>;
  copy[step] = changedAt(copy[step] as Json, rest);
  return copy;
}

test('L2 verification of a signature fails if any single value changes, and succeeds if only the order of keys changes', () => {
  const fields = FIELDS as unknown as JsonObject;
  for (const path of leaves(fields))
    expect([path.join('.'), isValid(changedAt(fields, path) as JsonObject)]).toStrictEqual([
      path.join('.'),
      false,
    ]);
  const turned = Object.fromEntries(Object.entries(fields).reverse());
  expect(isValid(turned)).toBe(true);
});
