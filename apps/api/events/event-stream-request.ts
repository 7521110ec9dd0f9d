import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { isPosition, POSITION } from '#domain/position.js';
import { callerOf } from '../platform/auth/caller.js';
import { FromRequest, ReadRequest } from '../platform/http/request.js';

export const EVENT_STREAM = 'text/event-stream';
/** The header without which Nginx holds the events back to fill its buffer. */
export const UNBUFFERED = ['x-accel-buffering', 'no'] as const;

/** True if the request accepts server-sent events. */
export const acceptsEventStream = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.toLowerCase().includes(EVENT_STREAM) ?? false;

/** The holder of a stream of events. */
export interface StreamHolder {
  readonly sub: string;
  /** The wall-clock time in ms at which the holder's token expires. */
  readonly until: number;
}

const holderOf = (request: FastifyRequest): StreamHolder => ({
  sub: callerOf(request).sub,
  until: request.mace.tokenExpiresAt,
});

function lastEventIdOf({ headers }: FastifyRequest): bigint | undefined {
  const { 'last-event-id': id } = headers;
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !isPosition(id))
    throw new Refusal('INVALID_INPUT', { reason: 'Last-Event-ID must be a decimal position' });
  return BigInt(id);
}

/** A request that can be answered with server-sent events. */
export abstract class EventStreamRequest<Body> extends ReadRequest<Body> {
  @FromRequest(holderOf) readonly holder!: StreamHolder;

  /** The last event that the client has, which it names when it connects again. */
  @FromRequest(lastEventIdOf, {
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that the client has; the stream goes on after it.',
    schema: { type: 'string', pattern: POSITION.source },
  })
  readonly lastEventId?: bigint;
}
