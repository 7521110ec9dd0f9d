import { createReadStream } from 'node:fs';
import { LINE_FEED } from './lines.js';

/** The bytes of a file. They are read once only, because the file may be a pipe. */
export class FileBytes implements AsyncIterable<Buffer> {
  /** True if the last byte that was read is a line feed. */
  endWithLineFeed = false;

  constructor(private readonly path: string) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.endWithLineFeed = chunk.at(-1) === LINE_FEED;
      yield chunk;
    }
  }
}
