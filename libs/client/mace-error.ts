import type { Schemas } from './schemas.js';

/** The envelope with which the service answers every failure. */
export type ErrorEnvelope = Schemas['ErrorEnvelopeDto'] & {
  /** What some codes answer beside it, such as the miss of SEM_NOT_FOUND. */
  readonly result?: unknown;
};

/** The service refused a request, or failed at it. `message` is the developer_message. */
export class MaceError extends Error {
  override readonly name = 'MaceError';
  /** For example `VERSION_CONFLICT`; stable, to be compared with. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  readonly severity: ErrorEnvelope['severity'];
  readonly userMessage: string;
  readonly developerMessage: string;
  readonly traceId: string;

  constructor(readonly envelope: ErrorEnvelope) {
    super(envelope.developer_message);
    this.code = envelope.error_code;
    this.status = envelope.status;
    this.severity = envelope.severity;
    this.userMessage = envelope.user_message;
    this.developerMessage = envelope.developer_message;
    this.traceId = envelope.meta.trace_id;
  }
}

/**
 * No usable answer came, after all retries: the service is down, the network is, or what answered is not
 * this service. A write may or may not have been done; sending it again with the same Idempotency-Key,
 * which `idempotencyKey` names, is safe.
 */
export class MaceUnreachable extends Error {
  override readonly name = 'MaceUnreachable';
  constructor(
    readonly url: string,
    readonly idempotencyKey: string | undefined,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${url} cannot be reached: ${reason}`, options);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether an answer's body is the service's envelope, rather than some proxy's page. */
export const isEnvelope = (body: unknown): body is ErrorEnvelope =>
  isObject(body) &&
  typeof body['error_code'] === 'string' &&
  typeof body['status'] === 'number' &&
  typeof body['developer_message'] === 'string' &&
  isObject(body['meta']);
