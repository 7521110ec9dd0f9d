import type { FastifyRequest } from 'fastify';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import type { RequestIdentity } from './identity.decorator.js';

/**
 * A write that the token, the strict parser and the privacy gate have let through, as plain JSON: all that is
 * needed to send it again (SPEC F2).
 */
export interface GatedRequest {
  readonly method: string;
  /** Path and query string, with the values of the path's parameters. */
  readonly url: string;
  /** null: it came without a body. */
  readonly body: Json;
  /** The header; null: none came. */
  readonly idempotency_key: string | null;
  readonly actor: Actor;
  /** With its command_id and the time at which it was received. */
  readonly identity: RequestIdentity;
}

/** A write whose caller is verified and whose command identity is made, as it can be kept. */
export function gatedRequestOf(
  request: FastifyRequest,
  actor: Actor,
  identity: RequestIdentity,
): GatedRequest {
  const { method, url, body, headers } = request;
  const key = headers['idempotency-key'];
  return {
    method,
    url,
    body: (body ?? null) as Json,
    idempotency_key: typeof key === 'string' ? key : null,
    actor,
    identity,
  };
}
