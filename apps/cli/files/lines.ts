import { createReadStream } from 'node:fs';

export const LINE_FEED = 0x0a;

/**
 * Yields the lines of a file. Only line feeds separate lines, and a line feed at the end starts no
 * further line. Invalid UTF-8 becomes U+FFFD.
 */
export const linesOf = (path: string): AsyncGenerator<string> => linesIn(createReadStream(path));

/** Does the same as `linesOf` for a file that the caller reads. */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      yield textOf(Buffer.concat([...pieces, rest.subarray(0, end)]));
      pieces = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) pieces.push(rest);
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
