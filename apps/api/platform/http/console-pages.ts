import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { OpenIdConfig } from '#platform/config/open-id.js';
import type { RouteAccess } from '../auth/roles.js';

/** The built console. The sources of this file and its built form are at different depths below the package. */
function builtConsole(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'dist', 'console');
}

/** The headers of every page, beside its content security policy. */
export const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * A browser runs only what this service serves, sends data only to it and to the OpenID Connect provider, and
 * shows the console in no frame. The styles that React sets are set through the DOM, which the policy does not
 * concern.
 */
const headersWith = (openId: OpenIdConfig | undefined): Readonly<Record<string, string>> => {
  const provider = openId === undefined ? '' : ` ${new URL(openId.issuer).origin}`;
  return {
    ...PAGE_HEADERS,
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'${provider}; ` +
      "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    vary: 'accept-encoding',
  };
};

const PUBLIC: RouteAccess = { isPublic: true };
/** Paths that no page and no file of the console has: they leave the folder, or name a compressed form. */
const REFUSED = /(^|[/\\])\.\.?([/\\]|$)|[\\\0]|\/\/|^\/|\.(br|gz)$/;

/**
 * Serves the console under /console, compressed as it was by the build. Each address without a file of its own is
 * a page of the console.
 */
export function serveConsole(server: FastifyInstance, openId: OpenIdConfig | undefined): void {
  const root = builtConsole();
  const headers = headersWith(openId);
  void server.register(async (pages) => {
    await pages.register(fastifyStatic, {
      ...{ root, serve: false, cacheControl: false, preCompressed: true },
    });
    pages.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers);
      done();
    });
    pages.get('/console', { config: PUBLIC }, (_request, reply) => reply.redirect('/console/'));
    pages.get<{ Params: { '*': string } }>('/console/*', { config: PUBLIC }, (request, reply) => {
      const path = request.params['*'];
      const isAsset = path.startsWith('assets/');
      if (REFUSED.test(path)) return reply.callNotFound();
      const isFile = path !== '' && existsSync(join(root, path));
      if (isAsset && !isFile) return reply.callNotFound();
      // The name of an asset has the hash of its content.
      reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
      return reply.sendFile(isFile ? path : 'index.html');
    });
  });
}
