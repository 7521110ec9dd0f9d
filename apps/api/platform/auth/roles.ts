import { RouteConfig } from '@nestjs/platform-fastify';

/** The roles a token can carry (SPEC §13). */
export const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

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
