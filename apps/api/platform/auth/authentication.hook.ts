import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import type { RateLimit } from './rate-limit.js';
import { isPublic } from './roles.js';
import type { TokenVerifier, VerifiedToken } from './token-verifier.js';

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i;

/** Returns the token of a request. @throws Refusal UNAUTHENTICATED if the request has none. */
export function bearerOf(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (authorization === undefined)
    throw new Refusal('UNAUTHENTICATED', { reason: 'no bearer token was sent' });
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined)
    throw new Refusal('UNAUTHENTICATED', { reason: 'the header is not "Bearer <token>"' });
  return token;
}

/**
 * Verifies the caller's token and applies the rate limit. It is a hook instead of a guard, so that it runs
 * before the body is read; the body of an unknown path is not read at all. A cached token is accepted synchronously, without a promise.
 */
export const authenticationHook =
  (verifier: TokenVerifier, rateLimit: RateLimit | undefined) =>
  (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    if (isPublic(request)) return done();
    if (request.is404) {
      const { method, url, headers } = request;
      return done(request.server.paths.refusal(method, url, headers.authorization !== undefined));
    }
    const { replay } = request.mace;
    const proceed = ({ actor, expiresAt }: VerifiedToken): void => {
      rateLimit?.count(actor.sub);
      request.mace.actor = actor;
      request.mace.tokenExpiresAt = expiresAt;
    };
    try {
      if (replay !== undefined) {
        request.mace.actor = replay.request.actor;
        return done();
      }
      const token = bearerOf(request);
      const cached = verifier.cached(token);
      if (cached !== undefined) {
        proceed(cached);
        return done();
      }
      verifier
        .verified(token)
        .then(proceed)
        .then(() => done(), done);
    } catch (refusal) {
      done(refusal as Error);
    }
  };
