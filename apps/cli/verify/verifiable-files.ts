import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { requireRegular } from '#files/regular-file.js';
import { couldNotCheck } from '../exit-code.js';
import { receiptText } from './verify-receipt.js';

/** Returns the named files, and the bundles (.ndjson) and receipts (.json) of the named folders, in order. */
export async function verifiableFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw couldNotCheck(`There is no file ${path}.`);
    if (!found.isDirectory()) {
      files.push(path);
      continue;
    }
    const inside = await filesIn(path);
    if (inside.length === 0)
      throw couldNotCheck(`The folder ${path} holds no .ndjson file and no receipt.`);
    files.push(...inside);
  }
  return files;
}

/** A folder may also have other .json files, such as one with keys. Nobody has named its links, so none is followed. */
async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.(?:nd)?json$/.test(name)) continue;
    const file = join(folder, name);
    requireRegular(file, await lstat(file));
    const isReceipt = name.endsWith('.json') && (await receiptText(file)) !== undefined;
    if (isReceipt || name.endsWith('.ndjson')) files.push(file);
  }
  return files;
}
