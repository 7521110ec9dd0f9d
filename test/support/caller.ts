import type { Role } from '#platform/auth/roles.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { Answered, ServiceClient, TokenOptions } from './service-client.js';

export interface AskOptions {
  readonly body?: unknown;
  /** Idempotency-Key. */
  readonly key?: string;
  /** Mace-Min-Position. */
  readonly after?: string;
  /** Mace-Access-Reason, not yet encoded. */
  readonly reason?: string;
}

/** A client of a service that has its own token. */
export class Caller {
  private constructor(
    private readonly service: ServiceClient,
    readonly token: string,
  ) {}

  static async of(
    service: ServiceClient,
    roles: Role | readonly Role[],
    options: TokenOptions = {},
  ): Promise<Caller> {
    return new Caller(service, await service.token(roles, options));
  }

  /** Sends a request and returns its answer, whatever the status. `path` is relative to /v1/. */
  async ask<Body = ErrorEnvelope>(
    method: string,
    path: string,
    { body, key, after = this.othersWrites(), reason }: AskOptions = {},
  ): Promise<Answered<Body>> {
    const answer = await this.service.call<Body>(method, `/v1/${path}`, {
      token: this.token,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(after === undefined ? {} : { 'mace-min-position': after }),
        ...(reason === undefined ? {} : { 'mace-access-reason': encodeURIComponent(reason) }),
      },
    });
    const written = BigInt(answer.headers.get('mace-position') ?? 0);
    if (written > this.service.lastWrite) this.service.lastWrite = written;
    return answer;
  }

  /** Returns the position that a read waits for if callers see each other's writes. */
  private othersWrites(): string | undefined {
    const { lastWrite, writesAreSeen } = this.service;
    return writesAreSeen && lastWrite > 0n ? lastWrite.toString() : undefined;
  }

  /**
   * Sends a request and returns its answer; throws unless the answer is a success. It tries again while the read
   * models are late, as the SDK does: on a busy machine they may be.
   */
  async did<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options: AskOptions = {},
  ): Promise<Answered<Body>> {
    let answer = await this.ask<Body>(method, path, options);
    while ((answer.body as Partial<ErrorEnvelope> | null)?.error_code === 'PROJECTION_LAG')
      answer = await this.ask<Body>(method, path, options);
    if (answer.status >= 300) throw new Error(describeAnswer(method, path, answer));
    return answer;
  }

  /** Returns the body of a GET; throws unless the answer is a success. */
  async get<Body = Record<string, unknown>>(path: string, options: AskOptions = {}): Promise<Body> {
    return (await this.did<Body>('GET', path, options)).body;
  }

  /** Returns the body of a POST; throws unless the answer is a success. */
  async post<Body = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    options: AskOptions = {},
  ): Promise<Body> {
    return (await this.did<Body>('POST', path, { body, ...options })).body;
  }

  /** Throws unless the request is refused with this code, its status and its fixed text (SPEC I8). */
  async refused(
    code: ErrorCode,
    method: string,
    path: string,
    options: AskOptions = {},
  ): Promise<ErrorEnvelope> {
    const answer = await this.ask(method, path, options);
    const { status, body } = answer;
    const fixed = ERROR_TABLE[code];
    const isRefusal = body.error_code === code && body.user_message === fixed.user_message;
    if (!isRefusal || status !== fixed.status)
      throw new Error(`${code} is expected. ${describeAnswer(method, path, answer)}`);
    return body;
  }
}

const describeAnswer = (
  method: string,
  path: string,
  { status, body }: Answered<unknown>,
): string => `${method} ${path} is answered with ${status}: ${JSON.stringify(body)}`;

/** Returns the Mace-Position of a write. A read that must show the write waits for this position. */
export function positionOf({ headers }: { readonly headers: Headers }): string {
  const position = headers.get('mace-position');
  if (position === null) throw new Error('every write must return the header Mace-Position');
  return position;
}
