import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { hasRole } from '#domain/ownership/access.js';
import { callerOf } from './caller.js';
import { isPublic, ROUTE_ROLES, type RouteRoles } from './roles.js';

/**
 * Requires that the caller has one of the roles in the route's `@Roles`; otherwise PERMISSION_DENIED, also if
 * the route declares nothing.
 */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isPublic(request)) return true;
    const roles = this.reflector.get<RouteRoles | undefined>(ROUTE_ROLES, context.getHandler());
    const { own = [], all = [] } = roles ?? {};
    const caller = callerOf(request);
    if (hasRole(caller, ...all)) {
      request.mace.othersRecord = roles?.of;
      return true;
    }
    if (hasRole(caller, ...own)) return true;
    const route = request.routeOptions.url ?? request.url;
    throw new Refusal('PERMISSION_DENIED', {
      action: `${request.method} ${route}`,
      rule: 'role',
    }).teaching({ roles: [...new Set([...own, ...all])] });
  }
}
