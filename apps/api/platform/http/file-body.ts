import { type ApiBodyOptions, ApiConsumes } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';

/** The type of the content of a file of lines. */
const FILE_TYPE = 'application/x-ndjson';

/** The maximum bytes of a file that a caller sends. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Marks a route whose body is a file, which its handler reads while it arrives. */
export const TakesFile = (): MethodDecorator =>
  applyDecorators(RouteConfig({ takesFile: true }), ApiConsumes(FILE_TYPE));

/** Describes a body that is a file, for openapi.json. */
export const FileBody: ApiBodyOptions = {
  schema: { type: 'string', format: 'binary' },
  description: `A file as \`${FILE_TYPE}\`, of at most ${MAX_FILE_BYTES / 1024 / 1024} MB.`,
};

const takesFile = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { readonly takesFile?: boolean }).takesFile === true;

/** Hands the body of a route that takes a file to its handler, unread. */
export function acceptFiles(server: FastifyInstance): void {
  server.addContentTypeParser(FILE_TYPE, (request, body, done) => {
    if (!takesFile(request))
      return done(new Refusal('INVALID_INPUT', { reason: 'the body must be JSON' }));
    request.mace.file = body as AsyncIterable<Buffer>;
    done(null);
  });
}

/** Returns the file that a request sends, as it arrives. */
export function arrivingFile({ mace: { file } }: FastifyRequest): AsyncIterable<Buffer> {
  if (file === undefined)
    throw new Refusal('INVALID_INPUT', { reason: `Content-Type: must be ${FILE_TYPE}` });
  return limited(file);
}

async function* limited(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES)
      throw new Refusal('INVALID_INPUT', { reason: 'the file is larger than 256 MB' });
    yield chunk;
  }
}
