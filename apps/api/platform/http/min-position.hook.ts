import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';

const POSITION = /^\d{1,20}$/;

/** `Mace-Min-Position`: the answer shows at least what that position holds (SPEC §13). */
export const minPositionHook =
  (reach: (position: bigint) => Promise<void>) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const asked = request.headers['mace-min-position'];
    if (asked === undefined) return done();
    if (typeof asked !== 'string' || !POSITION.test(asked))
      return done(
        new Refusal('INVALID_INPUT', { reason: 'Mace-Min-Position must be a decimal position' }),
      );
    reach(BigInt(asked)).then(() => done(), done);
  };
