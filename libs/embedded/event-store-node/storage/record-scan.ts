import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '#files/regular-file.js';
import { positionOf, recordLengthAt } from './record.js';

const WINDOW = 8 * 1024 * 1024;
/** The bytes of a record from which its length is known. */
const LOOK_AHEAD = 32;

/**
 * Finds all whole records in a file of which only the bytes can be trusted, wherever they lie. Returns their
 * offsets and lengths by position. Only this node can have written them, because the checksums contain its seed.
 */
export async function scanRecords(
  file: FileHandle,
  seed: number,
  onProgress: (bytes: number) => void,
): Promise<Map<number, { readonly offset: number; readonly length: number }>> {
  const { size } = await file.stat();
  const found = new Map<number, { offset: number; length: number }>();
  let from = 0;
  while (from < size) {
    const window = await readAt(file, from, Math.min(WINDOW, size - from));
    const end = from + window.length === size ? window.length : window.length - LOOK_AHEAD;
    let at = 0;
    while (at < end) {
      const length = recordLengthAt(window, at);
      const offset = from + at;
      if (length === undefined || offset + length > size) {
        at++;
        continue;
      }
      const isInside = at + length <= window.length;
      const record = isInside
        ? window.subarray(at, at + length)
        : await readAt(file, offset, length);
      const position = positionOf(record, seed);
      if (position !== undefined) found.set(position, { offset, length });
      at += position === undefined ? 1 : length;
    }
    from += at;
    onProgress(from);
  }
  return found;
}

export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytes.subarray(0, bytesRead);
}

/** Opens a file for reading; undefined if it does not exist. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegular(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
