import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes the lines to a temporary file and renames it at the end. A file with the final name is therefore
 * complete. No link and no other thing that stands at either name is written through.
 */
export async function writeWholeFile(
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  const text = async function* (): AsyncGenerator<string> {
    for await (const line of lines) yield `${line}\n`;
  };
  try {
    await pipeline(text, createWriteStream(draft, { flags: 'wx', mode }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
