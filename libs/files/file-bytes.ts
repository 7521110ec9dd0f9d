import { createReadStream } from 'node:fs';
import { chunksOf, UnusableFile } from './regular-file.js';

export const LINE_FEED = 0x0a;

/** What the shell has opened for this process, such as `<(curl …)`. */
const OPENED = /^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

/**
 * The bytes of a regular file, or of a pipe that the shell has opened, or bytes that arrive, which the path then names.
 * A pipe, and bytes that arrive, can be read once only.
 */
export class FileBytes implements AsyncIterable<Buffer> {
  /** True if the last byte that was read is a line feed. */
  endWithLineFeed = false;

  constructor(
    readonly path: string,
    private readonly arriving?: AsyncIterable<Buffer>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const chunks =
      this.arriving ??
      (OPENED.test(this.path)
        ? (createReadStream(this.path) as AsyncIterable<Buffer>)
        : chunksOf(this.path));
    for await (const chunk of chunks) {
      this.endWithLineFeed = chunk.at(-1) === LINE_FEED;
      yield chunk;
    }
  }
}

/** Reads a whole file. Fails with `UnusableFile` if it has more bytes than `maxBytes`. */
export async function textOf(path: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of new FileBytes(path)) {
    size += chunk.length;
    if (size > maxBytes) throw new UnusableFile(`${path} has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
