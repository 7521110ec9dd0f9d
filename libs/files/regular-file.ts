import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';

// Somebody else may have made a file that the product reads. Opening a pipe waits for a writer, a device has no end,
// and a link leads to a file of another user. Files that may come from somebody else are read through this module.

/** Thrown for a file that is not read. The message names the file, and has no full stop. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

export interface ReadOptions {
  /** `refuse` is for a path that nobody typed, such as one in a folder or in a manifest. */
  readonly links?: 'follow' | 'refuse';
  /** A file with more bytes is not read. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const kindOf = (found: Stats): string => {
  if (found.isFIFO()) return 'pipe';
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return 'link';
  return found.isSocket() ? 'socket' : 'device';
};

/** Fails with `UnusableFile` unless `found`, what is at the path, is a regular file. */
export const requireRegular = (path: string, found: Stats): void => {
  if (!found.isFile()) throw new UnusableFile(`${path} is a ${kindOf(found)}, not a regular file`);
};

// Without O_NONBLOCK, the open of a pipe that has replaced the file since the check would wait.
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens a regular file for reading. Fails with `UnusableFile` for anything else, and with the system's error, such as
 * ENOENT, if it cannot be opened.
 */
export async function openRegular(path: string, { links }: ReadOptions = {}): Promise<FileHandle> {
  const follows = links !== 'refuse';
  // A device must not even be opened: that alone can change it.
  requireRegular(path, await (follows ? stat(path) : lstat(path)));
  const file = await open(path, READ_ONLY | (follows ? 0 : constants.O_NOFOLLOW));
  try {
    requireRegular(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Does the same as `openRegular`, and returns a file descriptor. It follows links. */
export function openRegularSync(path: string): number {
  const file = openSync(path, READ_ONLY);
  try {
    requireRegular(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Yields the bytes of a regular file, as many as it has when it is opened. Fails with `UnusableFile` if it has others
 * after that, or more than `maxBytes`.
 */
export async function* chunksOf(path: string, options: ReadOptions = {}): AsyncGenerator<Buffer> {
  const { maxBytes = Infinity, signal } = options;
  const file = await openRegular(path, options);
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new UnusableFile(`${path} has ${size} bytes, more than the ${maxBytes} it may have`);
    let at = 0;
    while (at < size) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
    const changed = (await file.stat()).size !== at;
    if (changed) throw new UnusableFile(`${path} changed while it was read`);
  } finally {
    await file.close();
  }
}

/** Reads a whole regular file. Fails like `chunksOf`. */
export async function readRegular(
  path: string,
  maxBytes: number,
  options: Omit<ReadOptions, 'maxBytes'> = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(path, { ...options, maxBytes })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
