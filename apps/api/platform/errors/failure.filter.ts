import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { toEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { openContext } from '../http/request-context.js';
import { Metrics } from '../health/metrics.js';
import { LOGGER, REFUSED_WRITES } from '../tokens.js';
import { logFailure, routeOf } from './failure-log.js';
import { RefusalAudit } from './refusal-audit.js';
import { refusalOf } from './refusal-of.js';
import type { RefusedWrites } from './refused-writes.js';
import { WriteHealth } from './write-health.js';

const isCommand = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** The one place where a failure becomes an answer: its envelope, its log line, its audit event (SPEC §10). */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly audit: RefusalAudit,
    private readonly metrics: Metrics,
    private readonly writes: WriteHealth,
    @Inject(REFUSED_WRITES) private readonly refusedWrites: RefusedWrites,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  async answer(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The router refuses a malformed URL before any hook has run.
    const context = (request.mace as typeof request.mace | null) ?? openContext(request, reply);
    const isWrite = context.isWrite && isCommand(request.method);
    const refusal = refusalOf(error, { isWrite, route: routeOf(request) });
    const { query_id, trace_id } = context;
    const meta = { query_id, timestamp: new Date().toISOString(), trace_id };
    const envelope = toEnvelope(refusal, meta, this.writes.severityOf(refusal.code));
    this.metrics.failures.inc({ code: refusal.code });
    logFailure(this.logger, request, envelope, error, refusal);
    if (refusal.code === 'STORAGE_FULL' && context.identity !== undefined)
      await this.refusedWrites.keep(context.identity, String(refusal.facts['stream']));
    if (
      ERROR_TABLE[refusal.code].audited &&
      context.actor !== undefined &&
      isCommand(request.method)
    ) {
      await this.audit.record(context.actor, {
        code: refusal.code,
        route: `${request.method} ${routeOf(request)}`,
        stream: refusal.facts.stream === undefined ? null : String(refusal.facts.stream),
        trace_id: context.trace_id,
      });
    }
    // A stream that broke has its headers on the wire already.
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (envelope.status === 401) reply.header('www-authenticate', 'Bearer');
    void reply.status(envelope.status).type('application/json; charset=utf-8').send(envelope);
  }
}
