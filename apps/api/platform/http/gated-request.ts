import type { FastifyRequest } from 'fastify';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import type { RequestIdentity } from './identity.js';

/**
 * A write that has passed the token check, the strict parser and the privacy gate. It is plain JSON, and
 * has all the data needed to send the write again (SPEC F2).
 */
export interface GatedRequest {
  readonly method: string;
  /** Path and query string, with the path's parameter values. */
  readonly url: string;
  /** The parsed body; null if the request had no body. */
  readonly body: Json;
  /** The header `Idempotency-Key`; null if the request had none. */
  readonly idempotency_key: string | null;
  readonly actor: Actor;
  /** Includes the command_id and the time of receipt. */
  readonly identity: RequestIdentity;
}

/** Returns a verified write in the form in which the queue stores it. */
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
