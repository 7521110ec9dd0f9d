import { createHash } from 'node:crypto';
import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { chunksOf, type ReadOptions } from '#files/regular-file.js';

/** The size and the SHA-256 of a file. */
export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

const OWNER_ONLY = 0o700;

/** True for a path of a folder itself, and for one below it. */
export function isWithin(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${sep}`));
}

/** Creates a folder and its parents, for this user alone. */
export async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  await chmod(folder, OWNER_ONLY);
}

export async function digestOf(path: string, options: ReadOptions): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(path, options)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes a new file of mode 0600, and syncs it to disk. Returns the digest of what was written. */
export async function writeDurably(
  path: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal: AbortSignal,
): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY });
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies a file to a new one of mode 0600, and syncs it to disk. */
export const copyDurably = (
  from: string,
  to: string,
  options: ReadOptions & { readonly signal: AbortSignal },
): Promise<Digest> => writeDurably(to, chunksOf(from, options), options.signal);

/** Syncs a folder and all folders in it, because a new file name is durable only after that. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what is in a folder, except the names that `keeps` accepts. */
export async function emptyFolder(
  folder: string,
  keeps: (name: string) => boolean = () => false,
): Promise<void> {
  for (const name of await readdir(folder))
    if (!keeps(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Resolves with undefined if a file or folder does not exist. A backup must not lack what it cannot read. */
export const ifExists = <Content>(reading: Promise<Content>): Promise<Content | undefined> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return FULL.has(code) || message === 'The disk is full' ? 'the disk is full' : message;
}
