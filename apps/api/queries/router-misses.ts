import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Refusal } from '#domain/errors/refusal.js';
import { foldQuery, route, type Route, type RouteRequest } from '#domain/router/route.js';
import type { QueryState } from '#domain/query/state.js';
import { Metrics } from '../platform/health/metrics.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import { KEYED_HASH, LOGGER } from '../platform/tokens.js';
import { SYSTEM_VERSION } from '../platform/version.js';

/** Reports texts that no rule matched, so that developers can add rules (002 §Router 5, SPEC R2). */
@Injectable()
export class RouterMisses {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Routes a text, and reports the text if no rule matches or only the fallback matches. Fails as
   * `route` does.
   */
  routed(request: RouteRequest, traceId: string): Route {
    try {
      const decided = route(request);
      if (decided.route_reason === 'fallback') this.note(request, traceId, decided.agent_id);
      return decided;
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'ROUTER_NO_MATCH')
        this.note(request, traceId, null);
      throw cause;
    }
  }

  /** Does the same reporting for a recorded query. */
  ofQuery({ asked, route: decided, conclusion }: QueryState, traceId: string): void {
    if (decided?.route_reason === 'fallback') this.note(asked, traceId, decided.agent_id);
    else if (conclusion?.failure?.code === 'ROUTER_NO_MATCH') this.note(asked, traceId, null);
  }

  /** Logs a miss with keyed hashes instead of the text and the tags, and counts a fallback (SPEC R2, P6). */
  note(
    { query_text, context_tags }: Pick<RouteRequest, 'query_text' | 'context_tags'>,
    trace_id: string,
    agent_id: string | null,
  ): void {
    if (agent_id !== null) this.metrics.routerFallbacks.inc();
    this.logger.info({
      type: 'router_miss',
      trace_id,
      agent_id,
      query_hash: this.keyedHash(foldQuery(query_text)),
      context_tags: Object.entries(context_tags ?? {}).map((tag) => this.keyedHash(tag)),
      system_version: SYSTEM_VERSION,
    });
  }
}
