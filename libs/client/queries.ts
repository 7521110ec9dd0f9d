import type { Json, JsonObject } from './json.js';
import type { ErrorEnvelope } from './mace-error.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** A person's question. */
export interface AskQuery {
  /** 1 to 16,000 characters; what the privacy gate flags is refused with PRIVACY_BLOCKED. */
  readonly query_text: string;
  /** Whose question it is; only an agent without a user of its own may name one. */
  readonly user_id?: string;
  /** Of the query's job; a seed in use is refused with JOB_EXISTS. Default: minted by the service. */
  readonly job_seed?: string;
  /** The `log_id` of an earlier answer of the same caller: keeps what it proposed, or asks for a review. */
  readonly confirm?: string;
  readonly context_tags?: JsonObject;
  /** Overrides of the job's constants, such as `agent_timeout_ms` in milliseconds. */
  readonly constants?: JsonObject;
}

/** Where a query went. */
export interface Routed {
  readonly agent_id: string;
  readonly route_reason: string;
}

export interface QueryAnswer extends Routed {
  readonly answer: string;
  /** 0..1 */
  readonly confidence: number;
  /** Agents that failed on the way. */
  readonly degraded: readonly string[];
  /** What went wrong on the way, or a caution (LOW_CONFIDENCE). */
  readonly notices: readonly ErrorEnvelope[];
  /** The signed record of how the answer came about. */
  readonly log_id: string;
  readonly job_seed: string;
  /** What `confirm` would keep. */
  readonly proposal?: { readonly key: string; readonly value: Json };
}

/** An answer that waits for a human review. */
export interface OpenReview {
  readonly review_id: string;
  readonly log_id: string;
  readonly job_seed: string;
  readonly query_id: string;
  readonly final_answer: Json;
  readonly final_confidence: number | null;
  readonly requested_at: string;
  readonly requested_by: { readonly sub: string; readonly user_id: string | null };
  readonly reason: string;
}

/** Questions, through the whole pipeline. */
export class Queries {
  constructor(private readonly transport: Transport) {}

  /**
   * Answers a question. Fails with a `MaceError` whose code says why there is no answer (SEM_NOT_FOUND,
   * ROUTER_NO_MATCH, AGENT_TIMEOUT, AGENT_ERROR, LLM_SERVICE_DOWN, COUNCIL_DEADLOCK, REPAIR_LIMIT_EXCEEDED,
   * PRIVACY_BLOCKED …) and whose envelope names `log_id` and `job_seed` where there is a record.
   */
  ask(query: AskQuery, options?: WriteOptions): Promise<QueryAnswer> {
    return this.transport.json({ method: 'POST', path: '/v1/queries', body: query, options });
  }

  /** Which agent a question would go to, and by which rule; nobody is asked. */
  route(
    query: Pick<AskQuery, 'query_text' | 'user_id' | 'context_tags'>,
    options?: WriteOptions,
  ): Promise<Routed & { readonly depth: number }> {
    return this.transport.json({ method: 'POST', path: '/v1/route', body: query, options });
  }

  /** One page of the answers that wait for a human review, oldest first. Council members. */
  reviews(
    cursor?: string,
    options?: ReadOptions,
  ): Promise<{ readonly reviews: readonly OpenReview[]; readonly next_cursor: string | null }> {
    return this.transport.json({ method: 'GET', path: '/v1/reviews', query: { cursor }, options });
  }
}
