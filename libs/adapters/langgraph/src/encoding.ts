import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { type Json, MaceArgumentError } from '@mace-memory/client';

/** The service scans a value for personal data down to a depth of 64. */
const MAX_DEPTH = 50;

/** U+0000 and lone surrogates. */
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;

/** True if the service can store a JSON value as it is. */
function isStorable(value: Json, depth = 0): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([name, item]) => !UNSTORABLE.test(name) && isStorable(item as Json, depth + 1),
  );
}

/** What LangGraph's serializer makes of a whole value if a part of it is a bigint. */
const LOST = '[unable to serialize, circular reference is too complex to analyze]';

/**
 * Returns a value as JSON, so that the service finds personal data in it. What is not JSON, or what the service does
 * not store as JSON, is encoded in base64. @param channel the name of the channel, for the error
 * @throws MaceArgumentError for a value of which the serializer would keep nothing
 */
export async function encoded(
  serde: SerializerProtocol,
  value: unknown,
  channel: string,
): Promise<Json> {
  const [type, bytes] = await serde.dumpsTyped(value);
  if (type === 'json') {
    const text = new TextDecoder().decode(bytes);
    const json = text === '' ? undefined : (JSON.parse(text) as Json);
    if (json === LOST && value !== LOST)
      throw new MaceArgumentError(`channel_values.${channel}`, 'without bigints', value);
    if (json !== undefined && isStorable(json)) return { type, value: json };
  }
  return { type, base64: Buffer.from(bytes).toString('base64') };
}

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
