import { utf8Length } from '#domain/determinism/sha.js';
import type { Json, JsonObject } from '../json.js';

const NEEDS_ESCAPING = /["\\\u0000-\u001f\ud800-\udfff]/;

const quoted = (text: string): string =>
  NEEDS_ESCAPING.test(text) ? JSON.stringify(text) : `"${text}"`;

/**
 * Sorts by UTF-16 code units, as `<` does. Insertion sort is faster here, because objects have few keys
 * and most are sorted already.
 */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  if (keys.length > 32) return keys.sort();
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string;
    let at = next;
    for (; at > 0 && (keys[at - 1] as string) > key; at -= 1) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

function objectText(object: Readonly<Record<string, unknown>>, omitted?: string): string {
  let text = '';
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined || key === omitted) continue;
    text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

function arrayText(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  return `[${text}]`;
}

/**
 * Returns the RFC 8785 (JCS) text of a value, which hashes, signatures and size limits use (SPEC I5).
 * Undefined properties are left out. It is implemented here for speed, because it takes most of the time
 * of hashing a stream; tests compare it with the `canonicalize` library. @throws TypeError for values
 * outside JSON: undefined, NaN, Infinity, bigint, functions, symbols.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON`);
    return String(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new TypeError(`${typeof value} has no canonical JSON`);
  return Array.isArray(value)
    ? arrayText(value)
    : objectText(value as Readonly<Record<string, unknown>>);
}

export const canonicalJsonWithout = (object: object, omitted: string): string =>
  objectText(object as Readonly<Record<string, unknown>>, omitted);

/** Returns the size of the canonical text in UTF-8 bytes, the unit of all size limits in SPEC. */
export const canonicalSize = (value: unknown): number => utf8Length(canonicalJson(value));

/** The most levels of a value. */
export const MAX_DEPTH = 64;

const hasNul = (text: string): boolean => text.includes('\u0000');

/**
 * Returns why JCS or Postgres cannot represent a value, as `path: reason`; undefined if both can (SPEC I5). The text
 * names the place, never the value. The search is iterative, so deep nesting cannot overflow the stack.
 */
export function uncarriable(root: unknown, maxDepth = MAX_DEPTH): string | undefined {
  const pending: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: '', depth: 0 },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, depth } = next;
    const at = path === '' ? 'the value' : path.slice(0, 200);
    if (depth > maxDepth) return `${at}: nested deeper than ${maxDepth}`;
    if (value === null || typeof value === 'boolean') continue;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return `${at}: lone surrogate`;
      if (hasNul(value)) return `${at}: U+0000`;
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return `${at}: not a finite number`;
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        return `${at}: integer outside ±2^53`;
    } else if (Array.isArray(value)) {
      value.forEach((item, index) =>
        pending.push({ value: item, path: `${path}/${index}`, depth: depth + 1 }),
      );
    } else if (typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        if (!key.isWellFormed()) return `${at}: lone surrogate in a key`;
        if (hasNul(key)) return `${at}: U+0000 in a key`;
        pending.push({ value: item, path: `${path}/${key}`, depth: depth + 1 });
      }
    } else {
      return `${at}: not JSON`;
    }
  }
  return undefined;
}

/** True if two values have the same canonical form: the order of keys does not count, and -0 equals 0. */
export function sameJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameJson(item as Json, right[index] as Json));
  }
  return sameObject(left as JsonObject, right as JsonObject);
}

function sameObject(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && sameJson(left[key] as Json, right[key] as Json),
    )
  );
}
