import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { callerOf } from './caller.decorator.js';
import type { Role } from '#platform/auth/roles.js';
import { ALLOWED_ROLES } from './roles.js';

/** Requires that the caller has one of the roles in the route's `@Roles`; otherwise PERMISSION_DENIED. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const allowed = this.reflector.get<readonly Role[] | undefined>(
      ALLOWED_ROLES,
      context.getHandler(),
    );
    if (allowed === undefined) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { roles } = callerOf(request);
    if (allowed.some((role) => roles.includes(role))) return true;
    const route = request.routeOptions.url ?? request.url;
    throw new Refusal('PERMISSION_DENIED', { action: `${request.method} ${route}`, rule: 'role' });
  }
}
