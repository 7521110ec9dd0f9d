import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { laterOf } from '#read-model/later-of.js';
import { type OwnWrites, writersOf } from './own-writes.js';
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
    throw invalid('Mace-Min-Position must be a decimal position').teaching({
      instead: 'Send the Mace-Position of the answer to a write as it is, or leave the header out.',
    });
  return BigInt(header);
}

/** Returns true if the request has `Mace-Consistency: eventual`: it then reads without waiting (SPEC C1). */
function isEventual({ headers }: FastifyRequest): boolean {
  const header = headers['mace-consistency'];
  if (header !== undefined && header !== 'eventual')
    throw invalid('Mace-Consistency can only be "eventual"').teaching({
      instead: 'Leave the header out: the read then waits for your own writes.',
    });
  return header === 'eventual';
}

/** The positions that an answer must include. */
interface Required {
  /** Of what other instances wrote, as the caller says. */
  readonly least?: bigint | undefined;
  /** Of that, and of what this instance wrote for the caller and for the person for whom the request acts. */
  readonly all?: bigint | undefined;
}

function requiredOf(
  request: FastifyRequest,
  { ignoresOwnWrites = false }: Partial<RouteReads>,
  ownWrites: OwnWrites,
): Required {
  const least = minPosition(request);
  if (isEventual(request)) return {};
  const { actor } = request.mace;
  if (ignoresOwnWrites || actor === undefined) return { least, all: least };
  return { least, all: laterOf(least, ownWrites.positionOf(writersOf(actor, request))) };
}

/**
 * Runs a route only after the read models that it declares have passed `Mace-Min-Position` and the caller's
 * last write on this instance, unless the request sends `Mace-Consistency: eventual` (SPEC C1, §13). A GET that reads
 * only the log is refused if the log ends before `Mace-Min-Position`: it would leave out what the caller has seen.
 */
export const freshnessHook =
  (reach: Reach, requireEnd: (least: bigint) => Promise<void>, ownWrites: OwnWrites) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { readsFrom, ...reads } = request.routeOptions.config as Partial<RouteReads>;
    let required: Required;
    try {
      required = requiredOf(request, reads, ownWrites);
    } catch (refusal) {
      return done(refusal as Error);
    }
    const { least, all } = required;
    if (readsFrom !== undefined && all !== undefined)
      reach(all, readsFrom).then(() => done(), done);
    else if (readsFrom === undefined && least !== undefined && request.method === 'GET')
      requireEnd(least).then(() => done(), done);
    else done();
  };
