import type { FastifyInstance } from 'fastify';
import { inject, type InjectOptions } from 'light-my-request';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '#domain/errors/refusal.js';
import type { GatedRequest } from './gated-request.js';

/** A stored request that is sent again, with its refusal if the service refuses it. */
export interface ReplayedRequest {
  readonly request: GatedRequest;
  refusal: Refusal | undefined;
}

// Entries are keyed by the request object, so that no client input can reach them.
const replays = new WeakMap<IncomingMessage, ReplayedRequest>();

/** Returns the replay of a request; undefined for a client's request. */
export const replayOf = (raw: IncomingMessage): ReplayedRequest | undefined => replays.get(raw);

/**
 * Sends a stored request through the whole service again, with its actor, its command_id and its time of
 * receipt. Resolves with the refusal; undefined if the write succeeded.
 */
export async function sendAgain(
  server: FastifyInstance,
  request: GatedRequest,
): Promise<Refusal | undefined> {
  await server.ready();
  const replay: ReplayedRequest = { request, refusal: undefined };
  const { statusCode } = await inject((raw, response) => {
    replays.set(raw, replay);
    server.routing(raw, response);
  }, optionsOf(request));
  if (replay.refusal !== undefined) return replay.refusal;
  return statusCode < 400 ? undefined : new Refusal('INTERNAL');
}

function optionsOf({ method, url, body, idempotency_key }: GatedRequest): InjectOptions {
  return {
    method,
    url,
    headers: {
      ...(idempotency_key === null ? {} : { 'idempotency-key': idempotency_key }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { payload: JSON.stringify(body) }),
  };
}
