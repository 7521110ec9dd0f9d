import type { Json, JsonObject } from './json.js';

const POINTER = /^(\/([^~/]|~[01])*)*$/u;
const ARRAY_INDEX = /^(0|[1-9]\d*)$/;

/** Returns the parts of a JSON Pointer (RFC 6901); undefined if the text is not a pointer. */
export const pointerParts = (pointer: unknown): string[] | undefined =>
  typeof pointer === 'string' && POINTER.test(pointer)
    ? pointer
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : undefined;

/** Returns the value at a place; undefined if nothing is there. */
export function valueAt(root: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) {
      value = ARRAY_INDEX.test(part) ? (value as readonly Json[])[Number(part)] : undefined;
    } else {
      value = Object.hasOwn(value, part) ? (value as JsonObject)[part] : undefined;
    }
  }
  return value;
}
