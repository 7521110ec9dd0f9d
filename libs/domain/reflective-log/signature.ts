import { keyedHashJson } from '../determinism/hash.js';
import type { ReflectiveFields } from './fields.js';

/** HMAC-SHA256 over the JCS of all immutable fields, with the id of its key (SPEC L2). */
export type Signature = {
  readonly key_id: string;
  /** 64 hex digits. */
  readonly value: string;
};

interface SigningKey {
  readonly key_id: string;
  readonly key: string;
}

/** The key that signs, and the replaced keys, with which old signatures are still verified (SPEC L2). */
export interface Keyring {
  readonly current: SigningKey;
  readonly old: readonly SigningKey[];
}

const KEY_ID_DIGITS = 16;

/** Derives the id of a key from the key itself, so it needs no configuration, and does not reveal the key. */
const withId = (key: string): SigningKey => ({
  key_id: keyedHashJson(key, 'mace signing key id').slice(0, KEY_ID_DIGITS),
  key,
});

export const keyringOf = (current: string, old: readonly string[] = []): Keyring => ({
  current: withId(current),
  old: old.map(withId),
});

const valueOf = (fields: ReflectiveFields, { key }: SigningKey): string =>
  keyedHashJson(key, fields);

export const signLog = (fields: ReflectiveFields, { current }: Keyring): Signature => ({
  key_id: current.key_id,
  value: valueOf(fields, current),
});

/** Compares every character, so that the time it takes does not reveal where two signatures differ. */
function sameText(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1)
    difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

/** True if the signature fits these fields, with the key that it names, or with any key if it names none. */
export function isSignedBy(
  fields: ReflectiveFields,
  signature: Signature | string,
  { current, old }: Keyring,
): boolean {
  const keys = [current, ...old];
  const [value, keysToTry] =
    typeof signature === 'string'
      ? [signature, keys]
      : [signature.value, keys.filter(({ key_id }) => key_id === signature.key_id)];
  return keysToTry.some((key) => sameText(value, valueOf(fields, key)));
}
