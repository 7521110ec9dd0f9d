import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { bearerOf } from '../platform/auth/authentication.hook.js';
import { callerOf } from '../platform/auth/caller.js';

/** Returns the verified caller of a request in the form that MCP servers get it. */
export function callerAuthOf(request: FastifyRequest): AuthInfo {
  const { sub, roles } = callerOf(request);
  return {
    token: bearerOf(request),
    clientId: sub,
    scopes: [...roles],
    extra: { trace_id: request.mace.trace_id },
  };
}
