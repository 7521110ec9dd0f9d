import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { TokenVerifier } from '../auth/token-verifier.js';
import { authenticationHook } from '../auth/authentication.hook.js';
import type { RateLimit } from '../auth/rate-limit.js';
import type { RouteAccess } from '../auth/roles.js';
import { routeOf } from '../errors/failure-log.js';
import type { Metrics } from '../health/metrics.js';
import { Answer } from './answer.js';
import { freshnessHook, type Reach } from './freshness.hook.js';
import type { KeyedHash } from './identity.decorator.js';
import { jsonBytes } from './json-bytes.js';
import type { OwnWrites } from './own-writes.js';
import { openContext } from './request-context.js';
import { parseStrictJson } from './strict-json.js';

/** 1 MB (SPEC F4). */
export const BODY_LIMIT = 1024 * 1024;

/** Answers a request that fails before Nest handles it. */
export type AnswerFailure = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/** Creates Nest's HTTP adapter; `prepare` adds the hooks. */
export const httpAdapter = (answerFailure: AnswerFailure): FastifyAdapter => {
  const options: FastifyServerOptions = {
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      void answerFailure(error, request, reply);
    },
  };
  // Nest middleware is not used; hooks replace it.
  return new FastifyAdapter({ ...options, skipMiddie: true });
};

/** Accepts strict JSON as the only kind of body. */
function acceptStrictJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      try {
        done(null, parseStrictJson(body));
      } catch (refusal) {
        done(refusal as Error);
      }
    },
  );
}

/**
 * Sets the headers of a controller's `Answer`, and notes the caller's write. It is a hook, because an
 * interceptor takes more than a tenth of the time of a request that stores nothing (ARCHITECTURE.md has the
 * figure).
 */
const unwrapAnswer =
  (ownWrites: OwnWrites) =>
  (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void => {
    if (!(payload instanceof Answer)) return done(null, payload);
    const { position } = payload;
    if (position !== undefined) {
      const { identity } = request.mace;
      if (identity !== undefined) ownWrites.noteAnswer(identity.actor, position);
      reply.header('mace-position', position.toString());
    }
    if (payload.stale) reply.header('mace-stale', 'true');
    done(null, payload.body);
  };

/** Returns a body as bytes: a Buffer unchanged, any other value as JSON. */
const bytesOf = (payload: unknown): Buffer =>
  Buffer.isBuffer(payload) ? payload : jsonBytes(payload);

export interface HttpParts {
  readonly verifier: TokenVerifier;
  readonly rateLimit: RateLimit | undefined;
  readonly metrics: Metrics;
  readonly keyedHash: KeyedHash;
  readonly reach: Reach;
  readonly ownWrites: OwnWrites;
}

const PUBLIC: RouteAccess = { isPublic: true };

/** Returns true for the pages that @nestjs/swagger serves. */
const isPage = (url: string): boolean => url === '/openapi.json' || /^\/docs(\/|$)/.test(url);

/** Adds the hooks for every request. Their order matters: ids, caller, body, position, answer. */
export function prepare(server: FastifyInstance, parts: HttpParts): void {
  server.decorate('keyedHash', parts.keyedHash);
  server.decorateRequest('mace', null as never);
  server.addHook('onRequest', (request, reply, done) => {
    openContext(request, reply);
    done();
  });
  server.addHook('onRoute', (route) => {
    if (isPage(route.url)) route.config = { ...route.config, ...PUBLIC };
  });
  server.addHook('onRequest', authenticationHook(parts.verifier, parts.rateLimit));
  acceptStrictJson(server);
  server.addHook('preHandler', freshnessHook(parts.reach, parts.ownWrites));
  server.addHook('preSerialization', unwrapAnswer(parts.ownWrites));
  // Fastify can send a Buffer, although its type allows only a string.
  server.setReplySerializer(bytesOf as (payload: unknown) => never);
  server.addHook('onResponse', (request, reply, done) => {
    parts.metrics.httpDuration.observe(
      { method: request.method, route: routeOf(request), status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
}
