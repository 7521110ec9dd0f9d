import { SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Role } from '#platform/auth/roles.js';

/** The metadata of a route that `RolesGuard` reads. */
export const ALLOWED_ROLES = 'mace:allowed-roles';

/** Only callers with at least one of these roles; a route without it takes any verified token. */
export const Roles = (...roles: readonly Role[]): MethodDecorator =>
  SetMetadata(ALLOWED_ROLES, roles);

/** What the authentication hook reads from a route. */
export interface RouteAccess {
  readonly isPublic: boolean;
}

/** The route asks for no token. */
export const Public = (): MethodDecorator => RouteConfig({ isPublic: true } satisfies RouteAccess);
