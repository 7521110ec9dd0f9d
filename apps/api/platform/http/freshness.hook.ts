import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { laterOf } from '#read-model/later-of.js';
import type { OwnWrites } from './own-writes.js';
import type { RouteReads } from './reads-from.decorator.js';

const POSITION = /^\d{1,20}$/;

/** Resolves once these read models have passed that position; refuses with PROJECTION_LAG after 2 s. */
export type Reach = (position: bigint, names: readonly string[]) => Promise<void>;

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** `Mace-Min-Position`: the least that the answer must show (SPEC §13). */
function minPosition({ headers }: FastifyRequest): bigint | undefined {
  const asked = headers['mace-min-position'];
  if (asked === undefined) return undefined;
  if (typeof asked !== 'string' || !POSITION.test(asked))
    throw invalid('Mace-Min-Position must be a decimal position');
  return BigInt(asked);
}

/** `Mace-Consistency: eventual`: the answer may be as old as it is (SPEC C1). */
function isEventual({ headers }: FastifyRequest): boolean {
  const asked = headers['mace-consistency'];
  if (asked !== undefined && asked !== 'eventual')
    throw invalid('Mace-Consistency can only be "eventual"');
  return asked === 'eventual';
}

/** Undefined: the read models may be read as they are. */
function leastPosition(
  request: FastifyRequest,
  { asTheyAre = false }: Partial<RouteReads>,
  ownWrites: OwnWrites,
): bigint | undefined {
  const least = minPosition(request);
  if (isEventual(request)) return undefined;
  const sub = asTheyAre ? undefined : request.mace.actor?.sub;
  return sub === undefined ? least : laterOf(least, ownWrites.positionOf(sub));
}

/**
 * Before a route runs, the read models that it declares have passed the caller's last write on this instance and
 * `Mace-Min-Position`, unless it asks for `Mace-Consistency: eventual` (SPEC C1, §13).
 */
export const freshnessHook =
  (reach: Reach, ownWrites: OwnWrites) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const reads = request.routeOptions.config as Partial<RouteReads>;
    let least: bigint | undefined;
    try {
      least = leastPosition(request, reads, ownWrites);
    } catch (refusal) {
      return done(refusal as Error);
    }
    if (least === undefined || reads.readsFrom === undefined) return done();
    reach(least, reads.readsFrom).then(() => done(), done);
  };
