import { UnusableFile } from '#files/regular-file.js';
import { FileBytes, LINE_FEED } from './file-bytes.js';

/** The most bytes of a line: many times the longest event, and a recorded run of an hour. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Yields the lines of a file. Only line feeds separate lines, and a line feed at the end starts no
 * further line. Invalid UTF-8 becomes U+FFFD. Fails with `UnusableFile` for a line that is too long.
 */
export const linesOf = (path: string): AsyncGenerator<string> => linesIn(new FileBytes(path));

/** Does the same as `linesOf` for a file that the caller reads. */
export async function* linesIn(file: FileBytes): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of file) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      yield textOf(Buffer.concat([...pieces, rest.subarray(0, end)]));
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) pieces.push(rest);
    length += rest.length;
    if (length > MAX_LINE)
      throw new UnusableFile(`${file.path} has a line of more than ${MAX_LINE} bytes`);
  }
  if (pieces.length > 0) yield textOf(Buffer.concat(pieces));
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '\uFFFD';
  }
}
