import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type { Json } from '@mace-memory/client';

/** The service scans a value for personal data down to a depth of 64. */
const MAX_DEPTH = 50;

/** U+0000 and lone surrogates, as JSON.stringify writes them. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/;

/** True if the service can store a JSON value as it is. */
function isStorable(value: Json, depth = 0): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((item) => isStorable(item, depth + 1));
}

/**
 * Returns a value as JSON, so that the service finds personal data in it. What is not JSON, or what the service does
 * not store as JSON, is encoded in base64.
 */
export async function encoded(serde: SerializerProtocol, value: unknown): Promise<Json> {
  const [type, bytes] = await serde.dumpsTyped(value);
  if (type === 'json') {
    const text = new TextDecoder().decode(bytes);
    const json = text === '' || UNSTORABLE.test(text) ? undefined : (JSON.parse(text) as Json);
    if (json !== undefined && isStorable(json)) return { type, value: json };
  }
  return { type, base64: Buffer.from(bytes).toString('base64') };
}

/** True if the key of a value was destroyed, so that nobody can read it any more. */
export const isErased = (json: Json): boolean => hasField(json, 'erased');

const hasField = <Field extends string>(json: Json, field: Field): json is { [F in Field]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && Object.hasOwn(json, field);

/** Returns the value that `encoded` made the JSON from. */
export async function decoded(serde: SerializerProtocol, json: Json): Promise<unknown> {
  if (!hasField(json, 'type')) throw new TypeError('not a value that this adapter has stored');
  const type = String(json.type);
  if (hasField(json, 'value')) return serde.loadsTyped(type, JSON.stringify(json.value));
  const base64 = hasField(json, 'base64') ? String(json.base64) : '';
  return serde.loadsTyped(type, new Uint8Array(Buffer.from(base64, 'base64')));
}
