import { sha256Hex } from './hash.js';

const FALLBACK_BASE = Date.parse('2025-01-01T00:00:00.000Z');
const FALLBACK_SPREAD_SECONDS = 315_360_000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the time that a runtime gave: as the epoch, or as a seed that is a UUIDv7 or a ULID; in milliseconds since 1970.
 * Undefined if it gave none: then seeded time is logical, and no date for people (SPEC W6).
 */
export function givenBase(seed: string, seededEpoch?: string): number | undefined {
  if (seededEpoch !== undefined) return Date.parse(seededEpoch);
  if (UUID_V7.test(seed)) return parseInt(seed.replaceAll('-', '').slice(0, 12), 16);
  if (ULID.test(seed)) {
    return [...seed.slice(0, 10).toUpperCase()].reduce(
      (total, digit) => total * 32 + CROCKFORD.indexOf(digit),
      0,
    );
  }
  return undefined;
}

/** Returns the time at which a stream's seeded time begins, in milliseconds since 1970 (SPEC I3). */
export const seededBase = (seed: string, seededEpoch?: string): number =>
  givenBase(seed, seededEpoch) ?? logicalBase(seed);

function logicalBase(seed: string): number {
  const spread = parseInt(sha256Hex(seed).slice(0, 8), 16);
  return FALLBACK_BASE + (spread % FALLBACK_SPREAD_SECONDS) * 1000;
}

/** Returns the seeded timestamp of the event with this number: base + number, in milliseconds (SPEC I3). */
export const seededTimestamp = (base: number, number: number): string =>
  new Date(base + number).toISOString();
