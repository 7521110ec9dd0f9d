import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { couldNotCheck } from '../exit-code.js';

/** Returns the named files, and the .ndjson files of the named folders, in order. */
export async function bundleFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw couldNotCheck(`There is no file ${path}.`);
    if (!found.isDirectory()) {
      files.push(path);
      continue;
    }
    const names = (await readdir(path)).filter((name) => name.endsWith('.ndjson')).sort();
    if (names.length === 0) throw couldNotCheck(`The folder ${path} holds no .ndjson file.`);
    files.push(...names.map((name) => join(path, name)));
  }
  return files;
}
