import type { ErrorEnvelope } from './mace-error.js';
import type { Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** A person's question. */
export type AskQuery = Schemas['AskQueryDto'];

/** Where a query went. */
export type Routed = Pick<Schemas['RoutedDto'], 'agent_id' | 'route_reason'>;

export type QueryAnswer = Omit<Schemas['QueryAnswerDto'], 'notices'> & {
  /** What went wrong on the way, or a caution (LOW_CONFIDENCE). */
  readonly notices: readonly ErrorEnvelope[];
};

/** An answer that waits for a human review. */
export type OpenReview = Schemas['OpenReviewDto'];

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
  route(query: Schemas['RouteDto'], options?: WriteOptions): Promise<Schemas['RoutedDto']> {
    return this.transport.json({ method: 'POST', path: '/v1/route', body: query, options });
  }

  /** One page of the answers that wait for a human review, oldest first. Council members. */
  reviews(cursor?: string, options?: ReadOptions): Promise<Schemas['ReviewsPageDto']> {
    return this.transport.json({ method: 'GET', path: '/v1/reviews', query: { cursor }, options });
  }
}
