import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';

/** The answer of a request for a bundle, for openapi.json. */
export const BUNDLE = {
  content: { 'application/x-ndjson': { schema: { type: 'string', format: 'binary' } } },
};

/** Returns the answer that streams a bundle's lines as a file. */
export const bundleFile = (name: string, lines: AsyncIterable<string>): StreamableFile =>
  new StreamableFile(Readable.from(withLineFeeds(lines)), {
    type: 'application/x-ndjson; charset=utf-8',
    disposition: `attachment; filename="${name}.ndjson"`,
  });

async function* withLineFeeds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
