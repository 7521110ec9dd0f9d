import { bodyOf } from './arguments.js';
import type { ErrorEnvelope } from './mace-error.js';
import type { Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** A person's question. */
export type AskQuery = Schemas['AskQuery'];

/** The router's decision for a question. */
export type Routed = Pick<Schemas['RoutedDto'], 'agent_id' | 'route_reason'>;

export type QueryAnswer = Omit<Schemas['QueryAnswerDto'], 'notices'> & {
  /** Failures that did not prevent the answer, and the warning LOW_CONFIDENCE. */
  readonly notices: readonly ErrorEnvelope[];
};

/** An answer that waits for a human review. */
export type OpenReview = Schemas['OpenReviewDto'];

/** Sends questions to the agents; the council judges the answers. */
export class Queries {
  constructor(private readonly transport: Transport) {}

  /**
   * Answers a question. Without an answer, the call fails with a `MaceError` whose code gives the reason
   * (SEM_NOT_FOUND, ROUTER_NO_MATCH, AGENT_TIMEOUT, AGENT_ERROR, LLM_SERVICE_DOWN, COUNCIL_DEADLOCK,
   * REPAIR_LIMIT_EXCEEDED, PRIVACY_BLOCKED …). The error includes `log_id` and `job_seed` if the query
   * was recorded.
   */
  ask(query: AskQuery, options?: WriteOptions): Promise<QueryAnswer> {
    return this.transport.post('/v1/queries', bodyOf('query', query, 'POST /v1/queries'), options);
  }

  /** Returns the agent that would answer a question, and the routing rule. No agent is called. */
  route(query: Schemas['RouteQuery'], options?: WriteOptions): Promise<Schemas['RoutedDto']> {
    return this.transport.post('/v1/route', bodyOf('query', query, 'POST /v1/route'), options);
  }

  /** Returns one page of the answers that wait for a human review, oldest first. Only for council members. */
  reviews(cursor?: string, options?: ReadOptions): Promise<Schemas['ReviewsPageDto']> {
    return this.transport.get('/v1/reviews', { cursor }, options);
  }
}
