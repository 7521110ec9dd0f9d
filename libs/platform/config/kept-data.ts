import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders of the embedded servers in a data directory. */
export const DATA_FOLDERS = ['event-store', 'postgres'] as const;
export type DataFolder = (typeof DATA_FOLDERS)[number];

/** Returns the first of these folders that is not empty; undefined in a new data directory. */
export async function folderWithData(
  dataDir: string,
  folders: readonly DataFolder[],
): Promise<string | undefined> {
  for (const name of folders) {
    const folder = join(dataDir, name);
    const files = await readdir(folder).catch(() => []);
    if (files.length > 0) return folder;
  }
  return undefined;
}
