import { expect } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { JsonObject } from '#domain/json.js';
import type { Caller } from './caller.js';
import { assertReported, type Failure, type LogLine } from './failure.js';
import { HASH, UUID } from './matchers.js';
import type { TestService } from './service.js';

/** The body of a successful `POST /v1/queries` (SPEC §13). */
export interface QueryAnswer {
  readonly answer: string;
  readonly agent_id: string;
  readonly route_reason: string;
  readonly confidence: number;
  readonly degraded: readonly string[];
  readonly notices: readonly ErrorEnvelope[];
  readonly log_id: string;
  readonly job_seed: string;
  readonly proposal?: { readonly key: string; readonly value: unknown };
}

/** The whole body of an answer with these fields and without any failure. */
export const answerWith = (
  fields: Pick<QueryAnswer, 'answer' | 'agent_id' | 'route_reason' | 'confidence'>,
) => ({
  ...fields,
  degraded: [],
  notices: [],
  log_id: UUID,
  job_seed: expect.any(String),
});

export type QueryFailure = ErrorEnvelope & {
  readonly log_id: string;
  readonly job_seed: string;
  readonly degraded: readonly string[];
};

/** A client that sends queries to a service. */
export class Asker {
  constructor(
    private readonly service: TestService,
    private readonly caller: Caller,
  ) {}

  ask(query_text: string, more: JsonObject = {}): Promise<QueryAnswer> {
    return this.caller.post<QueryAnswer>('queries', { query_text, ...more });
  }

  /** Sends a query that must fail. Asserts the whole envelope and its log line, and returns both. */
  async fails(
    failure: Failure,
    query_text: string,
    more: JsonObject = {},
  ): Promise<{ readonly envelope: QueryFailure; readonly line: LogLine }> {
    const answer = await this.caller.ask<QueryFailure>('POST', 'queries', {
      body: { query_text, ...more },
    });
    const extra = {
      log_id: UUID,
      job_seed: expect.any(String),
      degraded: [],
      ...failure.extra,
    };
    const line = assertReported(this.service, answer, { ...failure, extra });
    const { job_seed } = answer.body;
    expect(line).toMatchObject({ job_seed, sem_snapshot_hash: HASH });
    return { envelope: answer.body, line };
  }
}
