import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { clearFacts, type ErrorEnvelope, toEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { secondsToNextMinute } from '../auth/rate-limit.js';
import { isDryRun } from '../http/dry-run.js';
import { gatedRequestOf } from '../http/gated-request.js';
import { jsonBytes } from '../http/json-bytes.js';
import { hasBody } from '../http/request.js';
import { newIds, openContext, type RequestContext } from '../http/request-context.js';
import { Metrics } from '../health/metrics.js';
import { LOGGER, PRIVACY_RULES, REFUSED_WRITES } from '../tokens.js';
import { FailureContext } from './failure-context.js';
import { type FailedRequest, logFailure, routeOf } from './failure-log.js';
import { LogBehind } from './log-behind.js';
import { RefusalAudit } from './refusal-audit.js';
import { LATE, refusalOf } from './refusal-of.js';
import type { RefusedWrites } from './refused-writes.js';
import { WriteHealth } from './write-health.js';

/** The time in ms that a client has to take the answer to bytes that are not a request. */
const LAST_ANSWER_MS = 1_000;

/** True if the connection has begun an answer, into which a second one would be written. */
const isAnswering = (socket: Socket): boolean => {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return answer?.headersSent === true && !answer.writableEnded;
};

/** The route that lists the things of a kind, for a request whose path does not lead below it. */
const LISTS: Readonly<Record<string, string>> = {
  job: 'GET /v1/jobs',
  note: 'POST /v1/notes/list',
  checkpoint: 'POST /v1/threads/list',
  thread: 'POST /v1/threads/list',
  episode: 'POST /v1/episodes/query',
  consent: 'GET /v1/consents',
  'action request': 'GET /v1/action-requests',
  'reflective log': 'GET /v1/reflective-logs',
};

/** Adds what to do instead, as far as the HTTP request shows it, to a refusal that does not say so itself. */
function withInstead(refusal: Refusal, request: FastifyRequest): Refusal {
  const instead = verbOf(refusal, request) ?? refusal.help.instead ?? insteadOf(refusal, request);
  return instead === undefined ? refusal : refusal.teaching({ instead });
}

/** Returns the route that is meant by a path whose id is refused because it is a verb. */
const verbOf = ({ code }: Refusal, request: FastifyRequest): string | undefined =>
  code === 'INVALID_INPUT' && /\/:[^/]+$/.test(routeOf(request))
    ? request.server.paths.verbInPlaceOfId(request.url)
    : undefined;

function insteadOf({ code, facts, help }: Refusal, request: FastifyRequest): string | undefined {
  const { method, headers } = request;
  const { paths } = request.server;
  if (help.roles !== undefined && isCommand(method))
    return `With a token of one of these roles: ${paths.usageOf(method, routeOf(request))}.`;
  if (code === 'NOT_FOUND') {
    const list = LISTS[String(facts['what'])];
    return (
      paths.readsAbove(routeOf(request)) ??
      (list && `${paths.withUsages(list)} shows what there is.`)
    );
  }
  const hasLostBody = !hasBody(method) && Number(headers['content-length'] ?? 0) > 0;
  return code === 'INVALID_INPUT' && hasLostBody
    ? request.server.paths.fieldsInQuery(method, routeOf(request))
    : undefined;
}

const isCommand = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** Turns every failure into an answer, a log line and an audit event (SPEC §10). */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly audit: RefusalAudit,
    private readonly failureContext: FailureContext,
    private readonly metrics: Metrics,
    private readonly writes: WriteHealth,
    private readonly logBehind: LogBehind,
    @Inject(REFUSED_WRITES) private readonly refusedWrites: RefusedWrites,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  async answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const error = await this.logBehind.causeOf(thrown, request);
    // Fastify refuses a malformed URL before any hook has opened the context.
    const context = (request.mace as typeof request.mace | null) ?? openContext(request, reply);
    const isWrite = context.isWrite && isCommand(request.method);
    const refusal = withInstead(refusalOf(error, { isWrite, route: routeOf(request) }), request);
    if (context.replay !== undefined) {
      // The storage queue logs the failures of its own replays and keeps the writes.
      context.replay.refusal = refusal;
      void reply.status(ERROR_TABLE[refusal.code].status).send();
      return;
    }
    const failed = await this.failureContext.of(request, context, refusal);
    const envelope = this.report(refusal, failed, error);
    if (isCommand(request.method) && !isDryRun(request))
      await this.recordRefusal(refusal, request, context);
    // A streamed answer has already sent its headers, so the only possible reaction is to close the
    // connection.
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (envelope.status === 401) reply.header('www-authenticate', 'Bearer');
    if (envelope.error_code === 'METHOD_NOT_ALLOWED')
      reply.header('allow', String(refusal.facts['allowed']));
    if (envelope.error_code === 'RATE_LIMITED') reply.header('retry-after', secondsToNextMinute());
    void reply.status(envelope.status).type('application/json; charset=utf-8').send(envelope);
  }

  /**
   * Answers bytes that are not an HTTP request, and a request that does not end, with the envelope, and closes the
   * connection. Browsers open connections in advance, so one without any byte is closed without a word.
   */
  answerMalformed(error: { readonly code?: string }, socket: Socket): void {
    const isUnused = socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || !socket.writable || isUnused || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const context = { ...newIds(), startedAt: performance.now(), actor: undefined };
    const reason =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? LATE
        : `the bytes are not an HTTP request (${error.code ?? 'unknown'})`;
    const refusal = new Refusal('INVALID_INPUT', { reason });
    const failed = { context, method: 'unknown', route: 'unknown' };
    const envelope = this.report(refusal, failed, error);
    const body = jsonBytes(envelope);
    const head = [
      `HTTP/1.1 ${envelope.status} Bad Request`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      `mace-query-id: ${context.query_id}`,
      `mace-trace-id: ${context.trace_id}`,
      'connection: close',
    ];
    socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
    // The client need not end its side, and could go on sending for ever.
    setTimeout(() => socket.destroy(), LAST_ANSWER_MS).unref();
  }

  /** Counts and logs a failure, and returns its envelope. */
  private report(refusal: Refusal, failed: FailedRequest, error: unknown): ErrorEnvelope {
    const { query_id, trace_id } = failed.context;
    const meta = { query_id, timestamp: new Date().toISOString(), trace_id };
    const envelope = toEnvelope(refusal, meta, this.rules, this.writes.severityOf(refusal.code));
    this.metrics.failures.inc({ code: refusal.code });
    const facts = clearFacts(refusal.facts, this.rules);
    logFailure(this.logger, failed, envelope, error, { facts, logged: refusal.logged });
    return envelope;
  }

  /**
   * Queues a write that was refused because the log is full, together with its audit event (SPEC F2). Records
   * other audited refusals in the caller's audit stream (SPEC I1).
   */
  private async recordRefusal(
    { code, facts }: Refusal,
    request: FastifyRequest,
    { actor, identity, trace_id }: RequestContext,
  ): Promise<void> {
    const route = `${request.method} ${routeOf(request)}`;
    const stream = facts['stream'] === undefined ? null : String(facts['stream']);
    if (code === 'STORAGE_FULL' && actor !== undefined && identity !== undefined)
      await this.refusedWrites.keep(gatedRequestOf(request, actor, identity), {
        stream: String(stream),
        route,
      });
    else if (ERROR_TABLE[code].audited && actor !== undefined)
      await this.audit.record(actor.sub, { code, route, stream, trace_id });
  }
}
