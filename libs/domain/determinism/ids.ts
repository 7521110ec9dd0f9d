import { canonicalJson } from './canonical-json.js';
import { sha1Hex, utf8Bytes } from './hash.js';

/** The namespace of all seeded ids (SPEC I4). It must never change: every stored id depends on it. */
export const MACE_NAMESPACE = '6d616365-2d6d-5e6d-8f72-792f76312e30';

const NAMESPACE_DIGITS = MACE_NAMESPACE.replaceAll('-', '');
const NAMESPACE_BYTES: Readonly<Uint8Array> = Uint8Array.from({ length: 16 }, (_, at) =>
  parseInt(NAMESPACE_DIGITS.slice(2 * at, 2 * at + 2), 16),
);

/** Returns the bytes that a UUIDv5 hashes: those of the namespace, then those of the name. */
function namespaced(name: string): Uint8Array {
  const bytes = utf8Bytes(' '.repeat(NAMESPACE_BYTES.length) + name);
  bytes.set(NAMESPACE_BYTES);
  return bytes;
}

/**
 * Maps a hex digit, used as the index, to the digit that keeps its lower two bits and has the upper two
 * bits of the RFC 4122 variant.
 */
const VARIANTS = '89ab'.repeat(4);

/**
 * Returns the UUIDv5 of the canonical JSON of an array (SPEC I4). It is implemented here for speed, because every
 * append and every replay computes one per event; tests compare it with the `uuid` library.
 */
export function seededUuid(parts: readonly (string | number)[]): string {
  const digest = sha1Hex(namespaced(canonicalJson(parts)));
  const variant = VARIANTS[parseInt(digest.charAt(16), 16)];
  return (
    `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}` +
    `-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  );
}

export const wmId = (jobSeed: string, counter: number): string => `wm:${jobSeed}:${counter}`;
export const cwmId = (sessionOrSeed: string): string => `cwm:${sessionOrSeed}`;
export const cwmItemId = (ofWmId: string): string => `cwmi:${ofWmId}`;
export const episodicId = (jobSeed: string, counter: number): string =>
  `ep:${seededUuid([jobSeed, 'episode', counter])}`;
export const reflectiveLogId = (jobSeed: string): string => seededUuid([jobSeed, 'reflective']);

/** Returns the seeded id that an event's metadata contains. */
export const eventId = (stream: string, number: number, type: string): string =>
  seededUuid([stream, number, type]);

/**
 * Returns the event id that the event store gets. Unlike the seeded id, it differs between two commands
 * that race (SPEC I7).
 */
export const appendedId = (seededEventId: string, commandId: string): string =>
  seededUuid([seededEventId, commandId]);

/** Returns the counter of a wm_id, by which wm_ids are compared (SPEC I4). */
export const wmCounter = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1));

/**
 * Compares well-formed texts by their UTF-8 bytes, the order of all ids except wm_ids (SPEC I4). Returns a
 * negative number if `left` comes first, 0 if both are equal.
 */
export function byteOrder(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const difference = utf8Rank(left.charCodeAt(at)) - utf8Rank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Returns the rank of a code unit in UTF-8 order. Surrogates, which encode characters beyond U+FFFF, come last. */
const utf8Rank = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};

/** The format of a job_seed and of a session_id (SPEC I4). */
export const SEED_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The format of a new job_seed or session_id. The segments `.` and `..` disappear from a URL, so no request
 * could name the resource. Streams of earlier releases may have such ids.
 */
export const NEW_SEED_PATTERN = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/;

/** True for the segments `.` and `..`, which disappear from a URL. */
export const vanishesInUrls = (segment: string): boolean => /^\.{1,2}$/.test(segment);
