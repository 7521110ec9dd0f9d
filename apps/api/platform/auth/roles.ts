import { RouteConfig } from '@nestjs/platform-fastify';
import type { Role } from '#platform/auth/roles.js';

/** What the authentication hook reads from a route; without it, any verified token may enter. */
export interface RouteAccess {
  readonly access: 'public' | readonly Role[];
}

/** Only tokens with at least one of these roles; others are PERMISSION_DENIED before the body is read. */
export const Roles = (...roles: readonly Role[]): MethodDecorator =>
  RouteConfig({ access: roles } satisfies RouteAccess);

/** No token is asked for. */
export const Public = (): MethodDecorator =>
  RouteConfig({ access: 'public' } satisfies RouteAccess);
