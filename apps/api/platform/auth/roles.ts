import { SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Role } from '#platform/auth/roles.js';

/** The key of the route metadata that `RolesGuard` reads. */
export const ALLOWED_ROLES = 'mace:allowed-roles';

/**
 * Allows only callers with at least one of these roles; a route without this decorator accepts any verified
 * token.
 */
export const Roles = (...roles: readonly Role[]): MethodDecorator =>
  SetMetadata(ALLOWED_ROLES, roles);

/** The fields that the authentication hook reads from a route. */
export interface RouteAccess {
  readonly isPublic: boolean;
}

/** Marks a route that needs no token. */
export const Public = (): MethodDecorator => RouteConfig({ isPublic: true } satisfies RouteAccess);
