import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** The one namespace of every seeded id (SPEC I4). Never changed: every stored id depends on it. */
export const MACE_NAMESPACE = '6d616365-2d6d-5e6d-8f72-792f76312e30';

const NAMESPACE_BYTES = Buffer.from(MACE_NAMESPACE.replaceAll('-', ''), 'hex');

/** The namespace, and behind it room for a name: what is hashed is nearly always short. */
const ROOM = Buffer.alloc(1024);
NAMESPACE_BYTES.copy(ROOM);
const LONGEST_IN_ROOM = Math.floor((ROOM.length - NAMESPACE_BYTES.length) / 3);

function namespaced(name: string): Buffer {
  if (name.length > LONGEST_IN_ROOM) return Buffer.concat([NAMESPACE_BYTES, Buffer.from(name)]);
  const size = ROOM.write(name, NAMESPACE_BYTES.length);
  return ROOM.subarray(0, NAMESPACE_BYTES.length + size);
}

/** What a digit becomes of which the upper two bits are those of an RFC 4122 id. */
const VARIANTS = '89ab'.repeat(4);

/**
 * uuidv5 of the canonical JSON of an array (SPEC I4). Every event has one and every replay computes it
 * again, so it is written out here; the tests hold it against the `uuid` library.
 */
export function seededUuid(parts: readonly (string | number)[]): string {
  const digest = hash('sha1', namespaced(canonicalJson(parts)), 'hex');
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

/** The seeded id that stands in an event's metadata. */
export const eventId = (stream: string, number: number, type: string): string =>
  seededUuid([stream, number, type]);

/** The id under which an event is appended; unlike the seeded one it tells two racing commands apart (SPEC I7). */
export const appendedId = (seededEventId: string, commandId: string): string =>
  seededUuid([seededEventId, commandId]);

/** wm_ids compare by their counter (SPEC I4). */
export const wmCounter = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1));

/** Byte order, as every id but wm_ids is compared (SPEC I4). */
export const byteOrder = (left: string, right: string): number =>
  left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));

/** What a job_seed and a session_id may look like (SPEC I4). */
export const SEED_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;
