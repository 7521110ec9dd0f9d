import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';

/**
 * Returns the verified caller of a request.
 * @throws Refusal UNAUTHENTICATED if the request has no verified caller.
 */
export function callerOf(request: FastifyRequest): Actor {
  if (request.mace.actor === undefined)
    throw new Refusal('UNAUTHENTICATED', { reason: 'no bearer token was sent' });
  return request.mace.actor;
}
