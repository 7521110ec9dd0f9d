import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Role } from '#platform/auth/roles.js';

/** The things that have an owner, and what makes one of them a caller's own (SPEC I9). */
export const OWNED = {
  job: 'a job that the caller’s sub started, for the caller’s user',
  session: 'a session that the caller’s sub has claimed, for the caller’s user, or nobody yet',
  self: 'the user of the caller’s token',
  token: 'the caller’s token',
  user: 'the user of the caller’s token; an agent’s token without a user acts for each user that it names',
  request: 'an action request that the caller made, or that concerns the caller’s user',
  stream:
    'a job, a session, its memory, a request, a ReflectiveLog, a conversation, a thread, a note or a stream of memories that is the caller’s own, and the facts, the memory and the consents of the token’s user',
  note: 'a note of the user of the caller’s token, or of the caller’s sub for a token without a user',
  conversation:
    'a conversation of the user of the caller’s token, or of the caller’s sub for a token without a user',
  thread:
    'a thread of the user of the caller’s token, or of the caller’s sub for a token without a user',
  audit: 'the audit stream of the caller’s sub',
  log: 'a ReflectiveLog of the caller or of the caller’s user',
} as const;
export type Owned = keyof typeof OWNED;

/** The roles that may call a route, each with the data that it reaches. */
export type RouteRoles =
  | {
      /** The roles that reach only their own data. */
      readonly own: readonly Role[];
      /** The owned thing that the route reads or changes. */
      readonly of: Owned;
      /** The roles that reach the data of every owner. */
      readonly all?: readonly Role[];
    }
  | {
      readonly all: readonly Role[];
      readonly own?: never;
      /** The owned thing that the route shows, if any: such readings are logged. */
      readonly of?: Owned;
    };

/** Agents and users read their own; admins, auditors and the council read everyone’s (SPEC I9). */
export const readersOf = (of: Owned): RouteRoles => ({
  own: ['agent', 'user'],
  of,
  all: ['admin', 'auditor', 'council'],
});

/** The key of the route metadata that `RolesGuard` reads. */
export const ROUTE_ROLES = 'mace:roles';

/** The field of an operation in openapi.json that says who may call it. */
export const ROLES_FIELD = 'x-roles';

/**
 * Declares who may call a route. A route that declares neither `@Roles` nor `@Public` refuses every caller.
 * The guard checks the role, and the handler checks whose data the request reaches.
 */
export const Roles = (roles: RouteRoles): MethodDecorator =>
  applyDecorators(SetMetadata(ROUTE_ROLES, roles), ApiExtension(ROLES_FIELD, roles));

/** The fields that the authentication hook and the guard read from a route. */
export interface RouteAccess {
  readonly isPublic: boolean;
}

/** Marks a route that needs no token. */
export const Public = (): MethodDecorator => RouteConfig({ isPublic: true } satisfies RouteAccess);

/** True if the request's route needs no token. */
export const isPublic = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as Partial<RouteAccess>).isPublic === true;
