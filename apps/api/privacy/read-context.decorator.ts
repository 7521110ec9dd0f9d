import {
  createParamDecorator,
  type ExecutionContext,
  type ParamDecoratorEnhancer,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { uncarriable } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import { OneOf } from '../platform/http/fields.js';
import { FromRequest } from '../platform/http/request.js';

/** The reason and the trace id that the event of an unredacted read records (SPEC G7). */
export interface ReadContext {
  /** Why the caller reads it, in the caller's own words; undefined if the caller does not say so. */
  readonly reason: string | undefined;
  readonly trace_id: string;
}

const HEADER = 'Mace-Access-Reason';
const MAX_CHARACTERS = 512;

const invalid = (reason: string): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `${HEADER}: ${reason}` });

/**
 * Returns the reason in the header. A header carries few characters as they are, so the text is percent-encoded. It
 * is not part of the address, because addresses stand in the logs of proxies.
 */
function reasonOf({ headers }: FastifyRequest): string | undefined {
  const encoded = headers[HEADER.toLowerCase()];
  if (encoded === undefined) return undefined;
  const reason = decoded(String(encoded)).trim();
  const problem = uncarriable(reason);
  if (problem !== undefined) throw invalid(problem);
  const { length } = [...reason];
  if (length === 0 || length > MAX_CHARACTERS)
    throw invalid(`a reason has 1 to ${MAX_CHARACTERS} characters`);
  return reason;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('the text is not percent-encoded UTF-8');
  }
}

const ACCESS_REASON = {
  name: HEADER,
  required: false,
  description: `Why the caller reads personal data unredacted, for the record of the read: at most ${MAX_CHARACTERS} characters, percent-encoded. Personal data in it is redacted.`,
  schema: { type: 'string' },
} as const;

const readContextOf = (request: FastifyRequest): ReadContext => ({
  reason: reasonOf(request),
  trace_id: request.mace.trace_id,
});

/** The circumstances of a read that may be unredacted. */
export const ReadBy = (): PropertyDecorator => FromRequest(readContextOf, ACCESS_REASON);

/** The option of reads that can show personal data (SPEC G7). */
export const Unredacted = (): PropertyDecorator =>
  OneOf(['true'], {
    optional: true,
    description:
      'Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream.',
  });

const describeReason: ParamDecoratorEnhancer = (target, method) => {
  const descriptor = Object.getOwnPropertyDescriptor(target, method ?? '');
  if (method !== undefined && descriptor !== undefined)
    ApiHeader(ACCESS_REASON)(target, method, descriptor);
};

/** The circumstances of a read that may be unredacted, as a controller's parameter of type `ReadContext`. */
export const ReadByParameter = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    readContextOf(context.switchToHttp().getRequest<FastifyRequest>()),
  [describeReason],
);
