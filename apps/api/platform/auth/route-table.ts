import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { ROLES, type Role } from '#platform/auth/roles.js';
import { templateOf } from '../http/path-template.js';
import { type RequestClass, requestOf } from '../http/request.js';
import { OWNED, ROUTE_ROLES, type RouteAccess, type RouteRoles } from './roles.js';

/** A route, and what it declares about its callers. */
export interface RouteEntry {
  readonly method: string;
  /** The path as in openapi.json, such as `/v1/jobs/{seed}`. */
  readonly path: string;
  readonly isPublic: boolean;
  /** Undefined for a public route, and for a route that declares nothing and so refuses every caller. */
  readonly roles: RouteRoles | undefined;
  /** The class of the request that the route receives; undefined for a route that takes its parts one by one. */
  readonly request: RequestClass | undefined;
}

type Handler = (...parameters: never[]) => unknown;

const pathOf = (...parts: readonly string[]): string =>
  templateOf(
    `/${parts
      .flatMap((part) => part.split('/'))
      .filter((part) => part !== '')
      .join('/')}`,
  );

function entryOf(controllerPath: string, handler: Handler): RouteEntry[] {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return [];
  const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
  const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
    Partial<RouteAccess> | undefined;
  return [
    {
      method: RequestMethod[method],
      path: pathOf(controllerPath, path),
      isPublic: config?.isPublic === true,
      roles: Reflect.getMetadata(ROUTE_ROLES, handler) as RouteRoles | undefined,
      request: requestOf(handler),
    },
  ];
}

const keyOf = ({ path, method }: RouteEntry): string => `${path} ${method}`;

/** Returns every route of every controller, in the order of the paths. */
export function routeTable(app: INestApplicationContext): readonly RouteEntry[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers
    .flatMap(({ metatype }) => {
      const { prototype } = metatype as { readonly prototype: Record<string, Handler> };
      const path = Reflect.getMetadata(PATH_METADATA, metatype as Handler) as string;
      return scanner
        .getAllMethodNames(prototype)
        .flatMap((name) => entryOf(path, prototype[name] as Handler));
    })
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Returns whose data a role reaches on a route; undefined if the route refuses the role. */
export function reachOf(roles: RouteRoles | undefined, role: Role): 'own' | 'all' | undefined {
  if (roles?.all?.includes(role)) return 'all';
  return roles?.own?.includes(role) ? 'own' : undefined;
}

const HEAD = `<!-- Made by \`npm run generate:client\` from the decorators of the routes: do not edit. -->

# Authorisation

Each route declares who may call it and whose data each role reaches. A route that declares nothing refuses every caller. A token with
several roles may do what any of them may do. A token without a role may do nothing.

In the table, \`all\` is the data of every owner, \`own\` is the data that belongs to the caller, and \`–\` is a refusal with
\`PERMISSION_DENIED\`. A list shows a caller with \`own\` only what belongs to the caller. Data without an owner, such as a fact under
\`world/\`, can be read by each caller that the route allows.

What is \`own\`:

${Object.entries(OWNED)
  .map(([thing, meaning]) => `- ${thing}: ${meaning}`)
  .join('\n')}

The rules for one key, such as which facts an agent may write, come in addition; the handlers check them.
`;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the page of the docs that shows the whole table. */
export function authorisationPage(table: readonly RouteEntry[]): string {
  const guarded = table.filter(({ isPublic }) => !isPublic);
  const open = table.filter(({ isPublic }) => isPublic);
  return [
    HEAD,
    row(['route', ...ROLES, '`own` is']),
    row(['---', ...ROLES.map(() => '---'), '---']),
    ...guarded.map(({ method, path, roles }) =>
      row([
        `${method} ${path}`,
        ...ROLES.map((role) => reachOf(roles, role) ?? '–'),
        roles?.of ?? '–',
      ]),
    ),
    '\nWithout a token:\n',
    ...open.map(({ method, path }) => `- ${method} ${path}`),
    '- GET /docs, GET /openapi.json\n',
  ].join('\n');
}

const joined = (roles: readonly Role[]): string => roles.join(', ');

/** Returns the sentence of openapi.json that says who may call a route. */
export const rolesSentence = ({ own = [], all = [], of }: RouteRoles): string =>
  [
    ...(own.length === 0 || of === undefined
      ? []
      : [`Own data only: ${joined(own)} (own: ${OWNED[of]}).`]),
    ...(all.length === 0 ? [] : [`Data of every owner: ${joined(all)}.`]),
  ].join(' ');
