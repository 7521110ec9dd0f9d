import { readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The address at which the node on a folder listens, so that other programs of its user find it. It is the
 * target of a link, as in the folder's lock, because a link can be made on a full disk.
 */
const LINK = 'address';

/** The addresses by which a node listens on every interface. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Keeps the address of a node that listens. The caller must have the lock of the folder. */
export const keepAddress = (folder: string, host: string, port: number): Promise<void> =>
  symlink(`${EVERYWHERE.has(host) ? '127.0.0.1' : host}:${port}`, join(folder, LINK));

export const forgetAddress = (folder: string): Promise<void> =>
  rm(join(folder, LINK), { force: true });

/** Returns `host:port`; undefined if no node listens. Only with the folder's lock held is it certain that one does. */
export const keptAddress = (folder: string): Promise<string | undefined> =>
  readlink(join(folder, LINK)).catch(() => undefined);
