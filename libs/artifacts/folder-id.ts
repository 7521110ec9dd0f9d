import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'store-id';

/**
 * Returns the random id of a folder of artifacts; the first call makes it. Instances with the same id use the
 * same folder.
 */
export async function folderId(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, FILE);
  const draft = `${path}.${randomUUID()}`;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
  try {
    await writeFile(draft, randomUUID(), { mode: 0o600, flag: 'wx' });
    // The first of two instances makes the id, and the file is complete as soon as it exists.
    await link(draft, path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}
