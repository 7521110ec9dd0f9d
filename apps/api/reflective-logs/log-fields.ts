import type { FastifyRequest } from 'fastify';
import { PositionText, Text, Whole } from '../platform/http/fields.js';
import { ReadRequest } from '../platform/http/request.js';

export const LogId = (): PropertyDecorator =>
  Text({
    min: 36,
    max: 64,
    pattern: /^[0-9a-f-]{36}$|^[0-9a-f]{64}$/,
    form: 'be the log_id of an answer',
  });

/** Returns the whole body, whose fields the domain checks. */
export const bodyOf = ({ body }: FastifyRequest): unknown => body;

/** A read of a list page by page. */
export abstract class PagedLogs<Body> extends ReadRequest<Body> {
  @PositionText({ optional: true }) cursor?: string;
  @Whole({ optional: true, min: 1, max: 100 }) limit?: number;
}
