import type { Json, JsonObject } from './json.js';
import { canonicalSize } from './determinism/canonical-json.js';

/** Personal data as the log stores it: ciphertext under the key of its data subject (SPEC P5). */
export type Sealed = {
  /** Compact JWE, dir + A256GCM; its `kid` names the subject and the key version. */
  readonly jwe: string;
  /** The type of the personal data. Content hashes and views show it in place of the ciphertext. */
  readonly type: string;
};

/**
 * A recorded value, open or sealed. Event data spreads it in, so an event has either `value` or `sealed`.
 * A caller's JSON is the content of `value`, so it cannot pass for a sealed value.
 */
export type Held = { readonly value: Json } | { readonly sealed: Sealed };

export const isSealed = (held: Held): held is { readonly sealed: Sealed } => 'sealed' in held;

/** The size in bytes of the canonical JSON; for a sealed value, of its sealed form (SPEC P5). */
export const heldSize = (held: Held): number =>
  canonicalSize(isSealed(held) ? held.sealed : held.value);

/** Only the `value` or `sealed` field of an object that may have more fields. */
export const heldOf = (data: Held): Held =>
  isSealed(data) ? { sealed: data.sealed } : { value: data.value };

/** A held value as a JsonObject, to be spread into event data. */
export const heldJson = (held: Held): JsonObject =>
  isSealed(held) ? { sealed: { ...held.sealed } } : { value: held.value };
