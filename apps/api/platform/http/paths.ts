import type { FastifyInstance } from 'fastify';
import { editDistance, slipsOf } from '#client/nearest-name.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { RouteEntry } from '../auth/route-table.js';
import { ownWords, THREE_VERBS, type Verb, verbNamed, verbOfMethod } from './other-words.js';
import { templateOf } from './path-template.js';
import { usedAs } from './request.js';
import { usageOf } from './route-usage.js';

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

const ALL_ROUTES = 'GET /openapi.json lists every route.';
/** The most routes that an answer names because they begin as a path does. */
const MAX_RELATED = 6;

const partsOf = (path: string): readonly string[] => path.split('/').slice(1);

const isParameter = (part: string): boolean => part.startsWith(':');

/** Returns a route as openapi.json writes it, such as `GET /v1/jobs/{seed}`. */
const nameOf = ({ method, parts }: Route): string =>
  `${method} ${templateOf(`/${parts.join('/')}`)}`;

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
const COST = { parameter: 0.1, spelling: 0.5, version: 0.5, word: 1, method: 1 } as const;

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

const isVersion = (part: string): boolean => /^(?:api|rest|v\d{1,3}(?:\.\d{1,3})?)$/i.test(part);

/** Returns the parts of a path without those before them that other services have, such as `/api/v2`. */
function unversioned(parts: readonly string[]): readonly string[] {
  const first = parts.findIndex((part) => !isVersion(part));
  return first === -1 ? [] : parts.slice(first);
}

const filledParts = (path: string): readonly string[] =>
  partsOf(path).filter((part) => part !== '');

/** Returns the forms in which a path may have been meant, each with its cost: without empty parts, decoded, with /v1. */
function formsOf(path: string): readonly (readonly [parts: readonly string[], cost: number])[] {
  const once = decoded(path);
  return [path, once, decoded(once)].map(filledParts).flatMap((parts) => [
    [parts, 0],
    [unversioned(parts), COST.version],
    [['v1', ...unversioned(parts)], COST.version],
    [['v1', ...ownWords(unversioned(parts))], COST.word],
  ]);
}

/** Returns how many parts of a path lead along a pattern, from the first on. */
function sharedParts({ parts }: Route, path: readonly string[]): number {
  const end = parts.findIndex((part, index) => costOf(part, path[index] ?? '') === Infinity);
  return end === -1 ? parts.length : end;
}

/** True if a pattern goes on where a path ends, with one word, or with ids alone. */
function isBelow(parts: readonly string[], path: readonly string[]): boolean {
  const rest = parts.slice(path.length);
  const isPlain = rest.length === 1 || rest.every(isParameter);
  return rest.length > 0 && isPlain && leadsTo(parts.slice(0, path.length), path);
}

/** The methods by which a caller may have meant another one: a list may be a POST, a POST a PUT, and a deletion an end. */
const isLikeMethod = ({ method, parts }: Route, asked: string): boolean =>
  method === asked ||
  (asked === 'DELETE' && parts.at(-1) === 'end') ||
  (asked === 'GET' ? parts.at(-1) === 'list' : method === 'PUT' && asked !== 'DELETE');

/** Returns sentences as one text, without those that are missing. */
const advice = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((one) => one !== undefined && one !== '').join(' ');

/** The paths that the service answers, for requests that lead to none of its routes. */
export class Paths {
  private readonly routes: Route[] = [];
  /** How the routes are called, by their names. */
  private usages: ReadonlyMap<string, string> = new Map();

  /** Follows the routes of a server from now on. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) this.routes.push({ method: each, parts: partsOf(url) });
    });
  }

  /** Takes over what the routes need beside their paths, to say so when it names them. */
  describe(table: readonly RouteEntry[]): void {
    const nameIn = ({ method, path }: RouteEntry): string => `${method} ${path}`;
    this.usages = new Map(table.map((entry) => [nameIn(entry), usageOf(entry)]));
    this.usages = new Map(
      table.map((entry) => {
        const does = entry.request && usedAs(entry.request).does;
        const usage = usageOf(entry);
        return [nameIn(entry), does === undefined ? usage : `${usage} ${this.withUsages(does)}`];
      }),
    );
  }

  /** Returns how a route is called. @param pattern its path, such as `/v1/jobs/:seed` */
  usageOf(method: string, pattern: string): string {
    return this.nameOf({ method, parts: partsOf(pattern) });
  }

  /** Returns a text in which each route that it names says how it is called. */
  withUsages(text: string): string {
    return text.replace(/[A-Z]{3,6} \/v1\/[a-z/{}-]+/g, (name) => this.usages.get(name) ?? name);
  }

  /**
   * Returns the refusal of a request that leads to no route: its path is unknown, or known under other methods.
   * @param hasToken whether the request has a token, without which no route would answer either
   */
  refusal(method: string, url: string, hasToken: boolean): Refusal {
    const [path = ''] = url.split('?');
    const found = this.routes.filter(({ parts }) => leadsTo(parts, partsOf(path)));
    const token = hasToken ? undefined : ERROR_TABLE.UNAUTHENTICATED.instead;
    if (found.length === 0)
      return unknownPath().teaching({ instead: advice(this.meant(method, path), token) });
    const words = unversioned(filledParts(path));
    const isId = found.some(({ parts }) => isParameter(parts.at(-1) ?? ''));
    const verb = isId ? verbNamed(words) : verbOfMethod(method, words);
    const meant =
      verb === undefined ? this.namesOf(this.below(method, partsOf(path))) : this.sentence(verb);
    const others = found.filter(
      (route) => route.method !== 'HEAD' && !meant?.includes(this.nameOf(route)),
    );
    const allowed = [...new Set(found.map((route) => route.method))].toSorted();
    return new Refusal('METHOD_NOT_ALLOWED', { method, allowed: allowed.join(', ') }).teaching({
      instead: advice(meant, this.namesOf(others), token),
    });
  }

  /** Returns the route that a path with a verb in the place of an id means; undefined for other paths. */
  verbInPlaceOfId(url: string): string | undefined {
    const verb = verbNamed(unversioned(filledParts(url.split('?')[0] ?? '')));
    return verb && this.sentence(verb);
  }

  /** Says that the fields of a route without a body stand in the query string, with an example if there is one. */
  fieldsInQuery(method: string, pattern: string): string {
    const usage = this.usageOf(method, pattern);
    const example = usage.includes('?') ? `: ${usage}` : '';
    return `The fields of a ${method} stand in the query string${example}.`;
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

  private nameOf(route: Route): string {
    const name = nameOf(route);
    return this.usages.get(name) ?? name;
  }

  /** Returns routes as a sentence; undefined without any. */
  private namesOf(routes: readonly Route[]): string | undefined {
    const names = [...new Set(routes.map((route) => this.nameOf(route)))];
    return names.length === 0 ? undefined : `${names.join(', or ')}.`;
  }

  private sentence({ route, does }: Verb): string {
    return `${this.usages.get(route) ?? route} ${does}.`;
  }

  private meant(method: string, path: string): string {
    const { nearest, distance } = this.nearest(method, path);
    const isOther = nearest !== undefined && nearest.method !== method;
    const below = isOther ? this.below(method, nearest.parts) : [];
    const near = nearest && this.namesOf([...below, nearest]);
    // A route under the same method, but for its spelling, is meant before one in other words.
    if (distance < COST.method) return advice(near, ALL_ROUTES);
    const parts = unversioned(filledParts(path));
    const verb = verbNamed(parts) ?? verbOfMethod(method, parts);
    const other =
      (verb && this.sentence(verb)) ??
      near ??
      this.namesOf(this.related(method, ['v1', ...ownWords(parts)]));
    return advice(other ?? THREE_VERBS, ALL_ROUTES);
  }

  private nearest(
    method: string,
    path: string,
  ): { readonly nearest: Route | undefined; readonly distance: number } {
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
    return { nearest, distance: least };
  }

  /** Returns the routes below a path that a method may have meant, such as those that make what the path lists. */
  private below(method: string, path: readonly string[]): readonly Route[] {
    return this.routes
      .filter((route) => isLikeMethod(route, method) && isBelow(route.parts, path))
      .slice(0, MAX_RELATED);
  }

  /** Returns the routes that begin as a path does, at least with the same first word: those of the method, if there are any. */
  private related(method: string, path: readonly string[]): readonly Route[] {
    const routes = this.routes.filter((route) => route.method !== 'HEAD');
    const shared = new Map(routes.map((route) => [route, sharedParts(route, path)]));
    const most = Math.max(...shared.values());
    if (most < 2) return [];
    const alike = routes.filter((route) => shared.get(route) === most);
    const ofMethod = alike.filter((route) => route.method === method);
    return (ofMethod.length > 0 ? ofMethod : alike)
      .toSorted((one, other) => one.parts.length - other.parts.length)
      .slice(0, MAX_RELATED);
  }
}

/** Returns the refusal of a path that the service does not have. */
export const unknownPath = (): Refusal =>
  new Refusal('NOT_FOUND', { what: 'route', id: 'at this path' });
