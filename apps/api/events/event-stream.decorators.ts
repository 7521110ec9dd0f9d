import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { callerOf } from '../platform/auth/caller.decorator.js';
import type { StreamHolder } from './stream-holder.js';

export const EVENT_STREAM = 'text/event-stream';

const POSITION = /^\d{1,18}$/;

const requestIn = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** The position in the header Last-Event-ID, which a client sends when it connects again; else undefined. */
export const LastEventId = createParamDecorator(
  (_data: unknown, context: ExecutionContext): bigint | undefined => {
    const { 'last-event-id': id } = requestIn(context).headers;
    if (id === undefined || id === '') return undefined;
    if (typeof id !== 'string' || !POSITION.test(id))
      throw new Refusal('INVALID_INPUT', { reason: 'Last-Event-ID must be a decimal position' });
    return BigInt(id);
  },
);

/** True if the request accepts server-sent events. */
export const AcceptsEventStream = createParamDecorator(
  (_data: unknown, context: ExecutionContext): boolean =>
    requestIn(context).headers.accept?.toLowerCase().includes(EVENT_STREAM) ?? false,
);

/** The caller, and the time until which the caller's token is valid. */
export const Holder = createParamDecorator(
  (_data: unknown, context: ExecutionContext): StreamHolder => {
    const request = requestIn(context);
    return { sub: callerOf(request).sub, until: request.mace.tokenExpiresAt };
  },
);

/** Describes the header Last-Event-ID in openapi.json. */
export const TakesLastEventId = (): MethodDecorator =>
  ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that the client has; the stream goes on after it.',
    schema: { type: 'string', pattern: POSITION.source },
  });
