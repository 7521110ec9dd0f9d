import { UnusableFile } from './regular-file.js';
import { FileBytes, LINE_FEED } from './file-bytes.js';

/** The most MiB of a line: many times the longest event, and a recorded run of an hour. */
export const MAX_LINE_MIB = 64;
const MAX_LINE = MAX_LINE_MIB * 1024 * 1024;
/** A longer line is not skipped: the file is not one of lines. It is read in about a second. */
const MAX_SKIPPED = 16 * MAX_LINE;

/** A line of a file, or why it cannot be read. */
export type Line = { readonly text: string } | { readonly problem: 'too_long' | 'not_utf8' };

/**
 * Yields the lines of a file. Only line feeds separate lines, and a line feed at the end starts no
 * further line. Invalid UTF-8 becomes U+FFFD. Fails with `UnusableFile` for a line that is too long.
 */
export const linesOf = (path: string): AsyncGenerator<string> => linesIn(new FileBytes(path));

/** Does the same as `linesOf` for a file that the caller reads. */
export async function* linesIn(file: FileBytes): AsyncGenerator<string> {
  for await (const line of everyLineIn(file)) {
    if ('text' in line) yield line.text;
    else if (line.problem === 'not_utf8') yield '\uFFFD';
    else throw tooLong(file, MAX_LINE);
  }
}

const tooLong = (file: FileBytes, bytes: number): UnusableFile =>
  new UnusableFile(`${file.path} has a line of more than ${bytes} bytes`);

/**
 * Yields the lines of a file, also those that cannot be read. A line that is too long is yielded as soon as it is,
 * and the rest of it is skipped without being held.
 * @throws UnusableFile for a line that is too long to skip.
 */
export async function* everyLineIn(file: FileBytes): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let length = 0;
  let skipping = false;
  for await (const chunk of file) {
    for (let start = 0; start < chunk.length;) {
      const lineFeed = chunk.indexOf(LINE_FEED, start);
      const end = lineFeed < 0 ? chunk.length : lineFeed;
      length += end - start;
      if (length > MAX_SKIPPED) throw tooLong(file, MAX_SKIPPED);
      if (length <= MAX_LINE) pieces.push(chunk.subarray(start, end));
      else if (!skipping) {
        skipping = true;
        pieces = [];
        yield { problem: 'too_long' };
      }
      if (lineFeed >= 0) {
        if (!skipping) yield textOf(Buffer.concat(pieces));
        pieces = [];
        length = 0;
        skipping = false;
      }
      start = end + 1;
    }
  }
  if (length > 0 && !skipping) yield textOf(Buffer.concat(pieces));
}

function textOf(bytes: Buffer): Line {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: 'not_utf8' };
  }
}
