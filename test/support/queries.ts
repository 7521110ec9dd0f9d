import assert from 'node:assert/strict';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode, type Severity } from '#domain/errors/error-table.js';
import type { JsonObject } from '#domain/json.js';
import type { Caller } from './caller.js';
import type { TestService } from './service.js';

/** What `POST /v1/queries` answers (SPEC §13). */
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

/** A failure as a seed words it: exactly these texts, this status and this severity. */
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

/** One asker of queries at a service. */
export class Asker {
  constructor(
    private readonly service: TestService,
    private readonly caller: Caller,
  ) {}

  ask(query_text: string, more: JsonObject = {}): Promise<QueryAnswer> {
    return this.caller.post<QueryAnswer>('queries', { query_text, ...more });
  }

  /** A query without an answer: its envelope and its log line say what the seed says. */
  async fails(failure: Failure, query_text: string, more: JsonObject = {}): Promise<QueryFailure> {
    const body = { query_text, ...more };
    const { status, body: envelope } = await this.caller.ask<QueryFailure>('POST', 'queries', {
      body,
    });
    assert.equal(status, failure.status, JSON.stringify(envelope));
    this.says(envelope, failure);
    const line = this.lineOf(envelope);
    assert.equal(line['type'], 'error');
    assert.equal(line['status'], failure.status);
    return envelope;
  }

  /** An envelope, in place of an answer or beside one, with the fields of its log line (SPEC F3). */
  says(envelope: ErrorEnvelope, failure: Failure): void {
    const { meta: _, error_code, status, severity, user_message, developer_message } = envelope;
    assert.deepEqual(
      { code: error_code, status, severity, user_message, developer_message },
      failure,
    );
    assert.equal(ERROR_TABLE[failure.code].user_message, failure.user_message);
    const line = this.lineOf(envelope);
    assert.equal(line['severity'], failure.severity);
    assert.equal(line['trace_id'], envelope.meta.trace_id);
    assert.match(String(line['sem_snapshot_hash']), /^[0-9a-f]{64}$/);
    assert.match(String(line['system_version']), /^mace-\d+\.\d+\.\d+$/);
    assert.ok('agent_id' in line && 'timestamp' in line, JSON.stringify(line));
  }

  /** The line of that failure, found by the query_id that the caller was told. */
  lineOf({ error_code, meta: { query_id } }: ErrorEnvelope): Record<string, unknown> {
    const line = this.service.log.find(
      (one) => one['query_id'] === query_id && one['error_code'] === error_code,
    );
    assert.ok(line, `no log line says ${error_code} of query ${query_id}`);
    return line;
  }
}
