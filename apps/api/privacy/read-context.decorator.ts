import {
  createParamDecorator,
  type ExecutionContext,
  type ParamDecoratorEnhancer,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { uncarriable } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';

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

const describeReason: ParamDecoratorEnhancer = (target, method) => {
  const descriptor = Object.getOwnPropertyDescriptor(target, method ?? '');
  if (method !== undefined && descriptor !== undefined)
    ApiHeader({
      name: HEADER,
      required: false,
      description: `Why the caller reads personal data unredacted, for the record of the read: at most ${MAX_CHARACTERS} characters, percent-encoded. Personal data in it is redacted.`,
      schema: { type: 'string' },
    })(target, method, descriptor);
};

/** The circumstances of a read that may be unredacted, as a controller's parameter of type `ReadContext`. */
export const ReadBy = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return { reason: reasonOf(request), trace_id: request.mace.trace_id } satisfies ReadContext;
  },
  [describeReason],
);
