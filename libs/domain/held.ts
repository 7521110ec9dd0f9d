import type { Json, JsonObject } from './json.js';
import { canonicalSize } from './determinism/canonical-json.js';

/** Personal data as the log may hold it: ciphertext under its subject's key (SPEC P5). */
export type Sealed = {
  /** Compact JWE, dir + A256GCM; its `kid` names subject and key version. */
  readonly jwe: string;
  /** What was found in it, for `{sealed: type}` in a content hash and `(redacted)` in a view. */
  readonly type: string;
};

/**
 * A recorded value, open or sealed. It is spread into event data, so that an event has a `value` or a
 * `sealed` and never both; no JSON that a caller sends can pass for a sealed one.
 */
export type Held = { readonly value: Json } | { readonly sealed: Sealed };

export const isSealed = (held: Held): held is { readonly sealed: Sealed } => 'sealed' in held;

/** Bytes of the canonical form; of a sealed value, of its sealed form (SPEC P5). */
export const heldSize = (held: Held): number =>
  canonicalSize(isSealed(held) ? held.sealed : held.value);

/** Just the `value` or `sealed` of something that carries more. */
export const heldOf = (data: Held): Held =>
  isSealed(data) ? { sealed: data.sealed } : { value: data.value };

/** The JSON of a held value, as a JsonObject to be spread into event data. */
export const heldJson = (held: Held): JsonObject =>
  isSealed(held) ? { sealed: { ...held.sealed } } : { value: held.value };
