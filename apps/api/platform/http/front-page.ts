import type { FastifyInstance } from 'fastify';
import type { RouteAccess } from '../auth/roles.js';
import { VERSION } from '../version.js';
import { PAGE_HEADERS } from './console-pages.js';

const LINKS = {
  console: '/console/',
  docs: '/docs',
  openapi: '/openapi.json',
  health: { live: '/health/live', ready: '/health/ready' },
};

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>MACE Memory</title></head>
<body>
<h1>MACE Memory ${VERSION}</h1>
<ul>
<li><a href="${LINKS.console}">The console</a>: the pages for people</li>
<li><a href="${LINKS.docs}">The interface</a>, also as <a href="${LINKS.openapi}">OpenAPI</a></li>
<li><a href="${LINKS.health.ready}">Whether the service is ready</a></li>
</ul>
</body>
</html>
`;

/** The page runs and loads nothing. */
const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache',
  vary: 'accept',
};

/** Serves `/`: a page for a browser, which asks for HTML, and the same addresses as JSON for a program. */
export function serveFrontPage(server: FastifyInstance): void {
  const config: RouteAccess = { isPublic: true };
  server.get('/', { config }, ({ headers }, reply) => {
    void reply.headers(HEADERS);
    return headers.accept?.includes('text/html')
      ? reply.type('text/html; charset=utf-8').send(PAGE)
      : reply.send({ name: 'MACE Memory', version: VERSION, ...LINKS });
  });
}
