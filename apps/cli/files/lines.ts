import { createReadStream } from 'node:fs';

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a file, separated by line feeds only; a line feed at the end starts no further line.
 * Invalid UTF-8 becomes U+FFFD, which is not valid JSON.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const chunk of createReadStream(path)) {
    let rest = chunk as Buffer;
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
