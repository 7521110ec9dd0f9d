import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner can read: the whole file or nothing, and on disk when the promise resolves. A
 * file with content that another process has written first stays as it is.
 */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const folder = await open(dirname(path), 'r');
  await folder.sync();
  await folder.close();
}

async function place(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // An earlier release that was killed, or found the disk full, may have left an empty file.
    if ((await stat(path)).size === 0) await rename(draft, path);
  }
}
