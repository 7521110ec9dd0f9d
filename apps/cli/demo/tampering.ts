import { readFile, writeFile } from 'node:fs/promises';

/** Changes a recorded value in a copy of a bundle, as somebody would who wants it to have been another one. */
export async function editedCopy(bundle: string, from: string, to: string): Promise<string> {
  const lines = (await readFile(bundle, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes('"wm_inserted"') && line.includes(from));
  lines[at] = lines[at]!.replaceAll(from, to);
  return written(`${bundle}.edited`, lines);
}

/** Leaves an event out of a copy of a bundle. */
export async function copyWithout(bundle: string, eventType: string): Promise<string> {
  const lines = (await readFile(bundle, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(`"type":"${eventType}"`));
  return written(`${bundle}.shortened`, lines.toSpliced(at, 1));
}

async function written(path: string, lines: readonly string[]): Promise<string> {
  await writeFile(path, lines.join('\n'));
  return path;
}
