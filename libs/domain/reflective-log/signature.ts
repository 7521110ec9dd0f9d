import { keyedHashJson } from '../determinism/hash.js';
import type { ReflectiveFields } from './fields.js';

/** HMAC-SHA256 over the JCS of all immutable fields, and which key made it (SPEC L2). */
export type Signature = {
  readonly key_id: string;
  /** 64 hex digits. */
  readonly value: string;
};

interface SigningKey {
  readonly key_id: string;
  readonly key: string;
}

/** The key that signs, and those that it replaced, which still verify (SPEC L2). */
export interface Keyring {
  readonly current: SigningKey;
  readonly old: readonly SigningKey[];
}

const KEY_ID_DIGITS = 16;

/** The id of a key follows from the key, so that nobody has to name it, and tells nothing of it. */
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

/** Looks at every character, so that the time it takes does not tell where two signatures differ. */
function sameText(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1)
    difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

/** Whether these very fields were signed with one of the keys: with the one it names, if it names one. */
export function isSignedBy(
  fields: ReflectiveFields,
  signature: Signature | string,
  { current, old }: Keyring,
): boolean {
  const keys = [current, ...old];
  const [value, tried] =
    typeof signature === 'string'
      ? [signature, keys]
      : [signature.value, keys.filter(({ key_id }) => key_id === signature.key_id)];
  return tried.some((key) => sameText(value, valueOf(fields, key)));
}
