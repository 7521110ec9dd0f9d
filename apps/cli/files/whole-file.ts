import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type CommandFailure, couldNotCheck } from '../exit-code.js';

/**
 * Writes the lines to a temporary file and renames it at the end. A file with the final name is therefore
 * complete. No link and no other thing that stands at either name is written through. Returns the number of lines.
 * @throws CommandFailure if the file cannot be written, and what `lines` throws
 */
export async function writeWholeFile(
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
): Promise<number> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  let count = 0;
  let isOfLines = false;
  const text = async function* (): AsyncGenerator<string> {
    try {
      for await (const line of lines) {
        count += 1;
        yield `${line}\n`;
      }
    } catch (error) {
      isOfLines = true;
      throw error;
    }
  };
  try {
    await pipeline(text, createWriteStream(draft, { flags: 'wx', mode }));
    await rename(draft, file);
    return count;
  } catch (error) {
    await rm(draft, { force: true });
    throw isOfLines ? error : notWritten(file, error);
  }
}

/** Returns the failure of a command that cannot write a file. */
export const notWritten = (file: string, error: unknown): CommandFailure =>
  couldNotCheck(
    `${file} cannot be written: ${error instanceof Error ? error.message : 'unknown'}.`,
  );
