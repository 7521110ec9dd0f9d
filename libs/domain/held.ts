import type { Json, JsonObject } from './json.js';
import { canonicalSize } from './determinism/canonical-json.js';

/** Personal data as the log stores it: ciphertext under the key of its data subject (SPEC P5). */
export type Sealed = {
  /** A compact JWE (dir + A256GCM). Its `kid` names the subject and the version of the key. */
  readonly jwe: string;
  /** The type of the personal data. Content hashes and views show the type in place of the ciphertext. */
  readonly type: string;
};

/**
 * A recorded value, in clear or sealed. Its one field is spread into the event data, so an event has either `value`
 * or `sealed`. A caller's JSON is always the content of `value`, so that JSON cannot be mistaken for a sealed value.
 */
export type Held = { readonly value: Json } | { readonly sealed: Sealed };

export const isSealed = (held: Held): held is { readonly sealed: Sealed } => 'sealed' in held;

/** Returns the size of the canonical JSON in bytes; for a sealed value, the size of its sealed form (SPEC P5). */
export const heldSize = (held: Held): number => canonicalSize(heldContent(held));

/** Returns only the `value` or `sealed` field of an object that may have more fields. */
export const heldOf = (data: Held): Held =>
  isSealed(data) ? { sealed: data.sealed } : { value: data.value };

/** Returns a value that is never sealed; null for a sealed one. */
export const clearValueOf = (held: Held): Json => (isSealed(held) ? null : held.value);

/** Returns the value or its sealed form. Hashes of a held value cover this (SPEC P5). */
export const heldContent = (held: Held): Json => (isSealed(held) ? held.sealed : held.value);

/** Returns the other fields of an object that holds a value. */
export const withoutHeld = <Data extends Held>(data: Data): Omit<Data, 'value' | 'sealed'> =>
  Object.fromEntries(
    Object.entries(data).filter(([name]) => name !== 'value' && name !== 'sealed'),
  ) as Omit<Data, 'value' | 'sealed'>;

/** Returns a held value as a JsonObject that can be spread into event data. */
export const heldJson = (held: Held): JsonObject =>
  isSealed(held) ? { sealed: { ...held.sealed } } : { value: held.value };
