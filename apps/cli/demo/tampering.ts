import { readFile, writeFile } from 'node:fs/promises';

/** Returns a copy of a bundle in which one recorded value is replaced by another. */
export async function editedCopy(bundle: string, from: string, to: string): Promise<string> {
  const lines = (await readFile(bundle, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes('"wm_inserted"') && line.includes(from));
  lines[at] = lines[at]!.replaceAll(from, to);
  return written(`${bundle}.edited`, lines);
}

/** Returns a copy of a bundle without one event. */
export async function copyWithout(bundle: string, eventType: string): Promise<string> {
  const lines = (await readFile(bundle, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(`"type":"${eventType}"`));
  return written(`${bundle}.shortened`, lines.toSpliced(at, 1));
}

async function written(path: string, lines: readonly string[]): Promise<string> {
  await writeFile(path, lines.join('\n'));
  return path;
}
