import type { FastifyInstance } from 'fastify';
import { inject, type InjectOptions } from 'light-my-request';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '#domain/errors/refusal.js';
import type { GatedRequest } from './gated-request.js';

/** A kept request while it is sent again, and what refused it this time. */
export interface ReplayedRequest {
  readonly request: GatedRequest;
  refusal: Refusal | undefined;
}

// Keyed by the request object itself: nothing that a client sends can lead here.
const replays = new WeakMap<IncomingMessage, ReplayedRequest>();

/** The replay that a request belongs to; undefined for a client's request. */
export const replayOf = (raw: IncomingMessage): ReplayedRequest | undefined => replays.get(raw);

/**
 * Sends a kept request through the whole service again, under its actor, its command_id and its time of
 * receipt. Resolves with what refused it; undefined: it was written.
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
