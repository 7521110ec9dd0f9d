import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { laterOf } from '#read-model/later-of.js';
import type { OwnWrites } from './own-writes.js';
import type { RouteReads } from './reads-from.decorator.js';

const POSITION = /^\d{1,20}$/;

/** Resolves once the named read models have passed `position`; refuses with PROJECTION_LAG after 2 s. */
export type Reach = (position: bigint, names: readonly string[]) => Promise<void>;

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/**
 * Returns the position in the header `Mace-Min-Position`. The answer must include every event up to this
 * position (SPEC §13).
 */
export function minPosition({ headers }: FastifyRequest): bigint | undefined {
  const header = headers['mace-min-position'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !POSITION.test(header))
    throw invalid('Mace-Min-Position must be a decimal position');
  return BigInt(header);
}

/** Returns true if the request has `Mace-Consistency: eventual`: it then reads without waiting (SPEC C1). */
function isEventual({ headers }: FastifyRequest): boolean {
  const header = headers['mace-consistency'];
  if (header !== undefined && header !== 'eventual')
    throw invalid('Mace-Consistency can only be "eventual"');
  return header === 'eventual';
}

/** Returns the position that the read models must have passed; undefined if the read need not wait. */
function requiredPosition(
  request: FastifyRequest,
  { ignoresOwnWrites = false }: Partial<RouteReads>,
  ownWrites: OwnWrites,
): bigint | undefined {
  const required = minPosition(request);
  if (isEventual(request)) return undefined;
  const sub = ignoresOwnWrites ? undefined : request.mace.actor?.sub;
  return sub === undefined ? required : laterOf(required, ownWrites.positionOf(sub));
}

/**
 * Runs a route only after the read models that it declares have passed `Mace-Min-Position` and the caller's
 * last write on this instance, unless the request sends `Mace-Consistency: eventual` (SPEC C1, §13).
 */
export const freshnessHook =
  (reach: Reach, ownWrites: OwnWrites) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const reads = request.routeOptions.config as Partial<RouteReads>;
    let required: bigint | undefined;
    try {
      required = requiredPosition(request, reads, ownWrites);
    } catch (refusal) {
      return done(refusal as Error);
    }
    if (required === undefined || reads.readsFrom === undefined) return done();
    reach(required, reads.readsFrom).then(() => done(), done);
  };
