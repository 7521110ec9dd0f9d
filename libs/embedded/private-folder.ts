import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const OWNER_ONLY = 0o700;
/** Other users may pass through a folder, for example the user of PostgreSQL, but not list or change it. */
const OWNER_AND_PASSING = 0o711;

/**
 * Creates a folder for one user alone, and takes the rights of others from it and from its files, which an
 * earlier release may have created with more rights.
 */
export async function privateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  await chmod(folder, OWNER_ONLY);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(folder, entry.name), 0o600);
}

/** Creates a folder through which other users may only pass. */
export async function passableFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  await chmod(folder, (await stat(folder)).mode & OWNER_AND_PASSING);
}
