import { crc32 } from 'node:zlib';

/** The bytes that a checksum takes at the end of what it covers. */
export const CHECKSUM = 4;
/** The CRC-32 of any bytes followed by their own CRC-32, whatever value the CRC began with. */
const RESIDUE = 0x2144df1c;

/**
 * Writes the CRC-32 of the other bytes into the last four. `start` is the value with which the CRC begins: it
 * contains the node's secret seed, so that a client cannot send bytes that pass for the node's own.
 */
export function seal(bytes: Buffer, start: number): void {
  const end = bytes.length - CHECKSUM;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end), start), end);
}

/** True if `seal` wrote these bytes with the same `start`, and they have not changed since. */
export const isIntact = (bytes: Buffer, start: number): boolean => crc32(bytes, start) === RESIDUE;
