import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { mintToken } from '#platform/auth/mint-token.js';
import type { Role } from '#platform/auth/roles.js';
import { named } from './named.js';

const HOUR = 3600;

export interface TokenOptions {
  readonly sub?: string;
  readonly user_id?: string;
  /** The token's life in seconds; a negative value mints an expired token. */
  readonly ttl?: number;
}

export interface Answered<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface CallOptions {
  /** The bearer token; a request without one has no Authorization header. */
  readonly token?: string;
  /** The body, sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP client of a running service. */
export class ServiceClient {
  /** The position of the last write of its callers; they wait for it if `writesAreSeen`. */
  lastWrite = 0n;
  /** True if a caller sees what another has just written, as a test of a shared service expects. */
  writesAreSeen = false;

  constructor(
    readonly url: string,
    private readonly jwtSecret: string,
  ) {}

  /**
   * Mints a token that lasts one hour by default. The default `sub` is made from the roles, and is
   * this test file's own.
   */
  token(
    roles: Role | readonly Role[],
    { sub, user_id, ttl = HOUR }: TokenOptions = {},
  ): Promise<string> {
    const list = typeof roles === 'string' ? [roles] : roles;
    return mintToken(
      { jwtSecret: this.jwtSecret },
      { sub: sub ?? named(list.join('-')), roles: list, user_id, ttl },
    );
  }

  async call<Body = ErrorEnvelope>(
    method: string,
    path: string,
    { token, body, headers }: CallOptions = {},
  ): Promise<Answered<Body>> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as Body,
    };
  }

  /**
   * Waits until the read models show the whole log. On a shared event store, a new database begins with what
   * other tests wrote, which can take longer than a read waits.
   */
  async caughtUp(): Promise<void> {
    for (;;) {
      const { body } = await this.call<Ready>('GET', '/health/ready');
      const models = Object.values(body.details).filter(({ lag }) => lag !== undefined);
      const stopped = models.find((model) => model.stopped);
      if (stopped) throw new Error(`A read model has stopped: ${JSON.stringify(stopped)}`);
      if (models.length > 0 && models.every(({ lag, rebuilding }) => lag === '0' && !rebuilding))
        return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

interface Ready {
  /** The lag of each read model, in positions of the log; null while it is not known. */
  readonly details: Readonly<
    Record<
      string,
      {
        readonly lag?: string | null;
        readonly rebuilding?: boolean;
        readonly stopped?: object | null;
      }
    >
  >;
}
