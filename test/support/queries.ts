import { expect } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode, type Severity } from '#domain/errors/error-table.js';
import type { JsonObject } from '#domain/json.js';
import type { Caller } from './caller.js';
import type { TestService } from './service.js';
import { ensure } from './ensure.js';

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

/** A failure with the values that its document specifies: code, status, severity and texts. */
export interface Failure {
  readonly code: ErrorCode;
  readonly status: number;
  readonly severity: Severity;
  readonly user_message: string;
  readonly developer_message: string;
}

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

  /** Sends a query that must fail. Asserts the envelope and its log line, and returns the envelope. */
  async fails(failure: Failure, query_text: string, more: JsonObject = {}): Promise<QueryFailure> {
    const body = { query_text, ...more };
    const { status, body: envelope } = await this.caller.ask<QueryFailure>('POST', 'queries', {
      body,
    });
    expect([envelope, status]).toStrictEqual([envelope, failure.status]);
    this.says(envelope, failure);
    const line = this.lineOf(envelope);
    expect(line['type']).toBe('error');
    expect(line['status']).toBe(failure.status);
    return envelope;
  }

  /** Asserts the texts of a failure's or notice's envelope, and the fields of its log line (SPEC F3). */
  says(envelope: ErrorEnvelope, failure: Failure): void {
    const { meta: _, error_code, status, severity, user_message, developer_message } = envelope;
    expect({ code: error_code, status, severity, user_message, developer_message }).toStrictEqual(
      failure,
    );
    expect(ERROR_TABLE[failure.code].user_message).toBe(failure.user_message);
    const line = this.lineOf(envelope);
    expect(line['severity']).toBe(failure.severity);
    expect(line['trace_id']).toBe(envelope.meta.trace_id);
    expect(String(line['sem_snapshot_hash'])).toMatch(/^[0-9a-f]{64}$/);
    expect(String(line['system_version'])).toMatch(/^mace-\d+\.\d+\.\d+$/);
    expect(line).toHaveProperty('agent_id');
    expect(line).toHaveProperty('timestamp');
  }

  /** Returns the log line of the failure, found by the query_id of its envelope. */
  lineOf({ error_code, meta: { query_id } }: ErrorEnvelope): Record<string, unknown> {
    const line = this.service.log.find(
      (one) =>
        one['query_id'] === query_id &&
        one['error_code'] === error_code &&
        one['type'] !== 'agent_failed',
    );
    ensure(line);
    return line;
  }
}
