import type { FastifyInstance } from 'fastify';
import { editDistance, slipsOf } from '#client/nearest-name.js';
import { Refusal } from '#domain/errors/refusal.js';

declare module 'fastify' {
  interface FastifyInstance {
    paths: Paths;
  }
}

interface Route {
  readonly method: string;
  /** The parts of the pattern between its slashes, such as `v1`, `jobs`, `:seed`. */
  readonly parts: readonly string[];
}

/** The advice if no route is like the path. */
const ALL_ROUTES = 'GET /openapi.json lists every route.';

const partsOf = (path: string): readonly string[] => path.split('/').slice(1);

const isParameter = (part: string): boolean => part.startsWith(':');

/** Returns a route as openapi.json writes it, such as `GET /v1/jobs/{seed}`. */
const nameOf = ({ method, parts }: Route): string =>
  `${method} /${parts.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;

/** True if a path, in its parts, leads to a pattern. */
function leadsTo(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  const length = isOpen ? pattern.length - 1 : pattern.length;
  if (isOpen ? path.length <= length : path.length !== length) return false;
  return pattern
    .slice(0, length)
    .every((part, index) => (isParameter(part) ? path[index] !== '' : part === path[index]));
}

/** The costs of what can be wrong with a path, in letters. */
const COST = { parameter: 0.1, spelling: 0.5, version: 0.5, method: 1 } as const;

/** Returns a word as paths spell it, in the singular: `jobSeeds` is `job-seed`. */
const spelling = (part: string): string =>
  part
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

function costOf(pattern: string, part: string): number {
  if (isParameter(pattern)) return part === '' ? Infinity : COST.parameter;
  if (pattern === part) return 0;
  if (spelling(pattern) === spelling(part)) return COST.spelling;
  const distance = editDistance(pattern, part.slice(0, pattern.length + slipsOf(pattern) + 1));
  return distance <= slipsOf(pattern) ? distance : Infinity;
}

function distanceOf({ parts }: Route, path: readonly string[]): number {
  if (parts.length !== path.length) return Infinity;
  return parts.reduce((sum, part, index) => sum + costOf(part, path[index] ?? ''), 0);
}

/** Returns a path without one layer of percent encoding; the path itself if its encoding is broken. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the forms in which a path may have been meant, each with its cost: without empty parts, decoded, with /v1. */
function formsOf(path: string): readonly (readonly [parts: readonly string[], cost: number])[] {
  const once = decoded(path);
  return [path, once, decoded(once)]
    .map((text) => partsOf(text).filter((part) => part !== ''))
    .flatMap((parts) => [
      [parts, 0],
      [['v1', ...parts], COST.version],
    ]);
}

/** The paths that the service answers, for requests that lead to none of its routes. */
export class Paths {
  private readonly routes: Route[] = [];

  /** Follows the routes of a server from now on. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) this.routes.push({ method: each, parts: partsOf(url) });
    });
  }

  /** Returns the refusal of a request that leads to no route: its path is unknown, or known under other methods. */
  refusal(method: string, url: string): Refusal {
    const [path = ''] = url.split('?');
    const found = this.routes.filter(({ parts }) => leadsTo(parts, partsOf(path)));
    if (found.length === 0) return unknownPath().teaching({ instead: this.nearest(method, path) });
    const allowed = [...new Set(found.map((route) => route.method))].toSorted();
    return new Refusal('METHOD_NOT_ALLOWED', { method, allowed: allowed.join(', ') }).teaching({
      instead: `${found
        .filter((route) => route.method !== 'HEAD')
        .map(nameOf)
        .join(' or ')}.`,
    });
  }

  /** Returns the GET routes above a route, which list the values of its last parameter; undefined without any. */
  readsAbove(pattern: string): string | undefined {
    const parts = partsOf(pattern);
    const end = parts.findLastIndex(isParameter);
    const above = this.routes.filter(
      (route) =>
        route.method === 'GET' &&
        route.parts.length <= end &&
        route.parts.every((part, index) => part === parts[index]),
    );
    return above.length === 0
      ? undefined
      : `${above.map(nameOf).join(' or ')} shows what there is.`;
  }

  private nearest(method: string, path: string): string {
    let nearest: Route | undefined;
    let least = Infinity;
    for (const [parts, cost] of formsOf(path))
      for (const route of this.routes) {
        const isOther = route.method !== method;
        const distance = cost + distanceOf(route, parts) + (isOther ? COST.method : 0);
        if (distance >= least) continue;
        least = distance;
        nearest = route;
      }
    return nearest === undefined ? ALL_ROUTES : `${nameOf(nearest)}. ${ALL_ROUTES}`;
  }
}

/** Returns the refusal of a path that the service does not have. */
export const unknownPath = (): Refusal =>
  new Refusal('NOT_FOUND', { what: 'route', id: 'at this path' });
