import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeSecretFile } from '#embedded/index.js';
import { openRegular } from '#files/regular-file.js';
import { BadConfig } from './bad-config.js';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const MAX_BYTES = 1024 * 1024;

async function readSecret(path: string): Promise<string | undefined> {
  const file = await openRegular(path).catch((error: Error) => {
    if (isMissing(error)) return undefined;
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR')
      throw new BadConfig(`MACE_DATA_DIR ${dirname(path)} is not a folder.`);
    throw new BadConfig(`${path} cannot be read: ${error.message}.`);
  });
  if (file === undefined) return undefined;
  try {
    const { mode, uid, size } = await file.stat();
    if ((mode & 0o077) !== 0)
      throw new BadConfig(
        `${path} holds this installation's keys and others can read it: run chmod 600 on it.`,
      );
    // The owner of the file knows the keys in it, and can change them.
    if (uid !== 0 && uid !== process.getuid?.())
      throw new BadConfig(
        `${path} holds this installation's keys and belongs to another user: run chown on it.`,
      );
    if (size > MAX_BYTES) throw new BadConfig(`${path} has ${size} bytes, so it holds no keys.`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** True if a data directory has this file of keys. */
export const isSecretKept = async (dataDir: string, name: string): Promise<boolean> =>
  (await keptSecretFile(dataDir, name)) !== undefined;

export interface SecretFile {
  readonly path: string;
  readonly text: string;
}

/** Returns a file of keys in a data directory; undefined if there is none. Fails as `secretFile` does. */
export async function keptSecretFile(
  dataDir: string,
  name: string,
): Promise<SecretFile | undefined> {
  const path = join(dataDir, name);
  const text = await readSecret(path);
  return text === undefined ? undefined : { path, text };
}

/**
 * Returns a file of keys in a data directory. The first call makes it, with mode 0600 (SPEC §13). Fails
 * with BadConfig if other users can read the file.
 */
export async function secretFile(
  dataDir: string,
  name: string,
  make: () => string,
): Promise<SecretFile> {
  const path = join(dataDir, name);
  const kept = await keptSecretFile(dataDir, name);
  if (kept !== undefined) return kept;
  try {
    // Other users may pass through the folder, because the embedded Postgres can run as another user.
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeSecretFile(path, make());
  } catch (error) {
    throw new BadConfig(`MACE_DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}.`);
  }
  const text = await readSecret(path);
  if (text === undefined) throw new BadConfig(`${path} disappeared while it was created.`);
  return { path, text };
}
