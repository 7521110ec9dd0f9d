import type { Json } from '@mace-memory/client';
import { type AgentInputItem, UserError } from '@openai/agents-core';

/** The key of an object that stands for bytes, which JSON does not have. */
const BYTES = '$bytes_base64';

const unsupported = (reason: string): UserError =>
  new UserError(`A session item cannot be stored: ${reason}.`);

/**
 * Returns items as JSON. Bytes become base64, and undefined properties are left out. @throws UserError for
 * values that would not come back as they were
 */
export const toJson = (items: readonly AgentInputItem[]): Json[] =>
  Array.from(items, (item: unknown) => {
    if (typeof item !== 'object' || item === null) throw unsupported('it is not an object');
    return jsonOf(item, []);
  });

function jsonOf(value: unknown, path: readonly object[]): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw unsupported(`${value} is not a JSON number`);
    return value;
  }
  if (typeof value !== 'object') throw unsupported(`it contains a value of type ${typeof value}`);
  if (path.includes(value)) throw unsupported('it contains itself');
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  const inside = [...path, value];
  if (Array.isArray(value)) return Array.from(value, (entry) => jsonOf(entry, inside));
  requirePlain(value);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .map(([key, entry]) => [key, jsonOf(entry, inside)]),
  );
}

function requirePlain(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw unsupported('it contains an object of a class');
  if (Reflect.ownKeys(value).length !== Object.keys(value).length)
    throw unsupported('it contains a hidden property');
  if (BYTES in value) throw unsupported(`the key ${BYTES} is reserved`);
}

/** Returns the item that `toJson` turned into JSON. */
export const fromJson = (json: Json): AgentInputItem => valueOf(json) as AgentInputItem;

function valueOf(json: Json): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) return json.map((entry: Json) => valueOf(entry));
  const entries = Object.entries(json);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === BYTES && typeof only[1] === 'string')
    return new Uint8Array(Buffer.from(only[1], 'base64'));
  return Object.fromEntries(entries.map(([key, entry]) => [key, valueOf(entry)]));
}

/** True for an item whose personal data was erased, so nothing of it is left. */
export const isErased = (json: Json): boolean =>
  json !== null &&
  typeof json === 'object' &&
  !Array.isArray(json) &&
  Object.keys(json).join() === 'erased' &&
  (json as { readonly erased: Json }).erased === true;
