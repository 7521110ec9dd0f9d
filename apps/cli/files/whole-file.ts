import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes the lines to a temporary file and renames it at the end. A file with the final name is therefore
 * complete.
 */
export async function writeWholeFile(
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const draft = `${file}.part`;
  const text = async function* (): AsyncGenerator<string> {
    for await (const line of lines) yield `${line}\n`;
  };
  try {
    await pipeline(text, createWriteStream(draft));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
