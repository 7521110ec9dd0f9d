import { readFile, writeFile } from 'node:fs/promises';

/** Writes a copy of a job's bundle in which one inserted value is replaced by another, and returns its file. */
export async function editedCopy(
  bundle: string,
  copy: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const lines = (await readFile(bundle, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes('"wm_inserted"') && line.includes(from));
  lines[at] = lines[at]!.replaceAll(from, to);
  await writeFile(copy, lines.join('\n'));
  return copy;
}
