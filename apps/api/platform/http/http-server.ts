import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type {
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import type { TokenVerifier } from '../auth/token-verifier.js';
import type { Logger } from 'pino';
import { auditorReadsHook } from '../auth/auditor-reads.hook.js';
import { authenticationHook } from '../auth/authentication.hook.js';
import type { RateLimit } from '../auth/rate-limit.js';
import { isPublic, type RouteAccess } from '../auth/roles.js';
import { routeOf } from '../errors/failure-log.js';
import type { Metrics } from '../health/metrics.js';
import { inSlices } from '#bounded/slices.js';
import { Answer } from './answer.js';
import { acceptFiles } from './file-body.js';
import { fairTurnsHook } from './fair-turns.hook.js';
import { freshnessHook, type Reach } from './freshness.hook.js';
import type { KeyedHash } from './identity.js';
import { canonicalBytes, jsonBytes } from './json-bytes.js';
import { type OwnWrites, writersOf } from './own-writes.js';
import { Paths } from './paths.js';
import { openContext } from './request-context.js';
import { parseStrictJson, strictJsonOf } from './strict-json.js';

/** The maximum bytes of a body: 1 MB (SPEC F4). */
export const BODY_LIMIT = 1024 * 1024;
/** The maximum bytes of a body on a public route, which the service parses for anybody. */
const PUBLIC_BODY_LIMIT = 4 * 1024;

/** A body of more bytes is parsed when its turn comes, because many may arrive in one turn of the event loop. */
const LONG_BODY = 32 * 1024;

/** Answers a request that fails before Nest handles it. */
export type AnswerFailure = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/** What bounds the connections of clients that never end their requests. */
export type ConnectionLimits = Pick<ServiceConfig, 'requestTimeoutMs' | 'maxConnections'>;

/** The longest time in ms between two looks for requests that have taken too long. */
const LATE_CHECK_MS = 5_000;

/** Creates Nest's HTTP adapter; `prepare` adds the hooks. */
export const httpAdapter = (
  { requestTimeoutMs: requestTimeout }: ConnectionLimits,
  answerFailure: AnswerFailure,
  answerMalformed: NonNullable<FastifyServerOptions['clientErrorHandler']>,
): FastifyAdapter => {
  const options: FastifyHttpOptions<Server> = {
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    // While the service stops, a connection that is still open gets usual answers. Fastify's own 503 has no
    // error envelope.
    return503OnClosing: false,
    requestTimeout,
    http: {
      // Without a Host header, Node would answer itself, without the error envelope.
      requireHostHeader: false,
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(requestTimeout / 5, LATE_CHECK_MS),
    },
    clientErrorHandler: answerMalformed,
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      void answerFailure(error, request, reply);
    },
  };
  // Hooks replace Nest's middleware, which is not used.
  return new FastifyAdapter({ ...options, skipMiddie: true });
};

/** Returns the refusal of a request whose headers ask for something that this service does not do. */
function headerProblem({ headers, raw }: FastifyRequest): Refusal | undefined {
  const { expect, 'content-encoding': encoding, 'content-type': type = '' } = headers;
  const refuse = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });
  if (headers.host === undefined && raw.httpVersion === '1.1') return refuse('Host: is missing');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return refuse('Expect: must be 100-continue');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return refuse('Content-Encoding: must be identity');
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(type) ?? [];
  if (!/^utf-?8$/i.test(charset)) return refuse('Content-Type: the charset must be UTF-8');
  return undefined;
}

/** The MCP server replaces what cannot be stored, on every transport alike: a model reads no refusal of a whole body. */
const MCP_ROUTE = '/mcp';

/** Accepts strict JSON as the only kind of body. */
function acceptStrictJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (request, body, done) => {
      const refuse = (refusal: unknown): void => {
        request.mace.unreadHash = server.keyedHash(body.toString('base64'));
        done(refusal as Error);
      };
      if (isPublic(request) && body.length > PUBLIC_BODY_LIMIT)
        return refuse(new Refusal('INVALID_INPUT', { reason: 'the body is larger than 4 KB' }));
      const options = { hasAnyText: request.routeOptions.url === MCP_ROUTE };
      if (body.length > LONG_BODY) {
        inSlices(strictJsonOf(body, options)).then((value) => done(null, value), refuse);
        return;
      }
      try {
        done(null, parseStrictJson(body, options));
      } catch (refusal) {
        refuse(refusal);
      }
    },
  );
}

/**
 * Sets the headers of a controller's `Answer`, and remembers the position of a write for the
 * next reads of the caller and of the person for whom it was made (SPEC C1). A write is answered in canonical JSON: a retry on another instance makes the
 * answer from stored events, whose keys have another order, and must get the same bytes (SPEC I7). It is a
 * hook, because an interceptor takes more than a tenth of the time
 * of a request that stores nothing (apps/api/platform/README.md has the figure).
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
    const { position, body } = payload as Answer<unknown>;
    const { actor, identity } = request.mace;
    if (position !== undefined) {
      if (actor !== undefined && identity !== undefined)
        ownWrites.noteAnswer(writersOf(actor, request), position);
      reply.header('mace-position', position.toString());
    }
    if (payload.stale) reply.header('mace-stale', 'true');
    if (payload.asOf !== undefined) reply.header('mace-as-of', payload.asOf.toString());
    if (payload.status !== undefined) reply.status(payload.status);
    done(null, identity === undefined || Buffer.isBuffer(body) ? body : canonicalBytes(body));
  };

/** Returns a body as bytes: a Buffer unchanged, any other value as JSON. */
const bytesOf = (payload: unknown): Buffer =>
  Buffer.isBuffer(payload) ? payload : jsonBytes(payload);

export interface HttpParts {
  readonly verifier: TokenVerifier;
  readonly rateLimit: RateLimit | undefined;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly keyedHash: KeyedHash;
  readonly privacyRules: RuleSet;
  readonly reach: Reach;
  /** Refuses a read of a log that ends before a position. */
  readonly requireEnd: (least: bigint) => Promise<void>;
  readonly ownWrites: OwnWrites;
  readonly limits: ConnectionLimits;
}

const PUBLIC: RouteAccess = { isPublic: true };

/** Returns true for the pages that @nestjs/swagger serves. */
const isPage = (url: string): boolean => url === '/openapi.json' || /^\/docs(\/|$)/.test(url);

/** The pause in ms between two looks for idle connections while the service stops. */
const IDLE_CHECK_MS = 50;

/**
 * Ends each open connection after its present answer once the service stops. Otherwise a connection that was
 * busy when the stop began would hold it up for the keep-alive timeout of 72 s.
 */
function endConnectionsOnClose(server: FastifyInstance): void {
  let isClosing = false;
  // Node counts a connection as idle only after its first request. Clients also open connections in advance.
  const connections = new Set<Socket>();
  server.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.addHook('preClose', (done) => {
    isClosing = true;
    // Answers that had already begun said nothing about the end of the connection.
    const timer = setInterval(() => {
      server.server.closeIdleConnections();
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, IDLE_CHECK_MS);
    server.server.once('close', () => clearInterval(timer));
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
}

/** The shortest time in ms between two log lines about refused connections. */
const REFUSED_EVERY_MS = 60_000;

/**
 * Refuses connections beyond a number, because each takes a file of the process, and memory. Connections that idle
 * after an answer then make room.
 */
function limitConnections(server: Server, { maxConnections }: ConnectionLimits, log: Logger): void {
  server.maxConnections = maxConnections;
  let saidAt = -Infinity;
  server.on('drop', () => {
    server.closeIdleConnections();
    if (performance.now() - saidAt < REFUSED_EVERY_MS) return;
    saidAt = performance.now();
    log.warn(
      { type: 'connections_refused', max_connections: maxConnections },
      'Connections are refused, because as many are open as MACE_MAX_CONNECTIONS allows.',
    );
  });
}

/**
 * Adds the hooks that every request passes. Their order matters: ids, caller, body, position, answer.
 */
export function prepare(server: FastifyInstance, parts: HttpParts): void {
  server.decorate('keyedHash', parts.keyedHash);
  server.decorate('privacyRules', parts.privacyRules);
  server.decorate('paths', new Paths(server));
  server.decorateRequest('mace', null as never);
  server.addHook('onRequest', fairTurnsHook());
  server.addHook('onRequest', (request, reply, done) => {
    openContext(request, reply);
    done();
  });
  server.addHook('onRequest', (request, _reply, done) => done(headerProblem(request)));
  // Without a listener, Node would answer unknown expectations itself, without the error envelope.
  server.server.on('checkExpectation', (request, response) => {
    server.server.emit('request', request, response);
  });
  server.addHook('onRoute', (route) => {
    if (isPage(route.url)) route.config = { ...route.config, ...PUBLIC };
  });
  server.addHook('onRequest', authenticationHook(parts.verifier, parts.rateLimit));
  acceptStrictJson(server);
  acceptFiles(server);
  endConnectionsOnClose(server);
  limitConnections(server.server, parts.limits, parts.logger);
  server.addHook('preHandler', freshnessHook(parts.reach, parts.requireEnd, parts.ownWrites));
  server.addHook('preSerialization', unwrapAnswer(parts.ownWrites));
  server.addHook('onSend', auditorReadsHook(parts.logger, parts.keyedHash));
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
