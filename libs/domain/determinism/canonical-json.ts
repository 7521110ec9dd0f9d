import canonicalize from 'canonicalize';
import type { Json } from '../json.js';

/** The RFC 8785 (JCS) text of a value: what is hashed, signed and measured (SPEC I5). */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('undefined has no canonical JSON');
  return text;
}

/** UTF-8 bytes of the canonical text: the size that every limit of SPEC speaks of. */
export const canonicalSize = (value: unknown): number => Buffer.byteLength(canonicalJson(value));

const hasNul = (text: string): boolean => text.includes('\u0000');

/**
 * Why JCS or Postgres could not carry a value, as `path: reason`, or undefined if both can (SPEC I5).
 * Names the place, never the value. Iterative, so that depth cannot exhaust the stack.
 */
export function uncarriable(root: unknown, maxDepth = 100): string | undefined {
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

/** Equality by canonical form. */
export const sameJson = (left: Json, right: Json): boolean =>
  left === right || canonicalJson(left) === canonicalJson(right);
