import { AttemptLimit } from './attempt-limit.js';
import { isEnvelope, MaceError, MaceUnreachable } from './mace-error.js';
import { randomKey } from './random-key.js';
import { chunksOf, textOf } from './response-body.js';

/**
 * How fresh a read must be. `own-writes`: the read shows everything that this client has written or read
 * before, on any instance of the service. `eventual`: the read shows the projections as they are, and
 * does not wait.
 */
export type Consistency = 'own-writes' | 'eventual';

/** The options of a client. */
export interface MaceClientOptions {
  /** The service's base URL, for example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** A bearer token, or a function that returns one. The function is called before every attempt. */
  readonly token: string | (() => string | Promise<string>);
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** The number of retries after a network error or a 503. The default is 3; 0 means no retry. */
  readonly retries?: number;
  /**
   * The timeout of one attempt in ms. The default is 30,000. A bundle may stream for longer: for its
   * lines, this is the longest wait for the next piece.
   */
  readonly timeoutMs?: number;
  /** The consistency of calls that do not set one. The default is `own-writes`. */
  readonly consistency?: Consistency;
}

/** The options that every call has. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /**
   * The identity of the request: a request with the same key and the same body, now or after a crash,
   * gets the first answer and adds no second event. By default each call gets a new random key, which
   * all its retries reuse.
   */
  readonly idempotencyKey?: string;
}

/** Options of a call that reads a projection. */
export interface ReadOptions extends CallOptions {
  /**
   * The consistency of this read; by default the client's setting. A read with `own-writes` waits at
   * most 2 s, then fails with PROJECTION_LAG.
   */
  readonly consistency?: Consistency;
  /**
   * The read also shows everything up to this position, for example another client's write. It cannot be
   * combined with `eventual`.
   */
  readonly after?: bigint;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL, with its parts already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: unknown;
  /**
   * Set for a POST that can safely be sent twice. The client sends such a POST without an
   * Idempotency-Key.
   */
  readonly repeatable?: boolean;
  readonly options?: WriteOptions & ReadOptions;
}

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2_000;

/**
 * Sends requests with the token, the Idempotency-Key, retries and positions, and reads the service's errors.
 */
export class Transport {
  readonly #options: MaceClientOptions;
  readonly #fetch: typeof globalThis.fetch;
  #position: bigint | undefined;

  constructor(options: MaceClientOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** The largest `Mace-Position` of all answers so far. */
  get position(): bigint | undefined {
    return this.#position;
  }

  /** Sends a call and returns the parsed JSON answer. */
  async json<Answer>(call: Call): Promise<Answer> {
    return this.#send(call, async (response, signal) => {
      const text = await textOf(response, signal);
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    });
  }

  /** Sends a call and yields the lines of the answer as they arrive. Fails if the answer is cut off. */
  async *lines(call: Call): AsyncGenerator<string> {
    const response = await this.#send(call, (answer) => Promise.resolve(answer));
    const limit = this.#limitOf(call);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    try {
      for await (const chunk of chunksOf(response, limit.signal)) {
        limit.pause();
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
        limit.restart();
      }
      rest += decoder.decode();
    } catch (error) {
      call.options?.signal?.throwIfAborted();
      throw new MaceUnreachable(this.#urlOf(call), undefined, reasonOf(error), { cause: error });
    } finally {
      limit.end();
    }
    if (rest !== '') yield rest;
  }

  /** Sends a call, and retries it up to `retries` times after temporary failures. */
  async #send<Answer>(
    call: Call,
    answerOf: (response: Response, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const url = this.#urlOf(call);
    const needsKey = call.method !== 'GET' && call.repeatable !== true;
    const key = call.options?.idempotencyKey ?? (needsKey ? randomKey() : undefined);
    const retries = this.#options.retries ?? 3;
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= retries;
      const limit = this.#limitOf(call);
      try {
        const { signal } = limit;
        const request = await this.#requestOf(call, key);
        const response = await this.#fetch(url, { ...request, signal });
        this.#notePosition(response);
        if (response.ok) return await answerOf(response, signal);
        if (response.status !== 503 || last)
          throw failureOf(response, await textOf(response, signal), url, key);
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof MaceError || error instanceof MaceUnreachable) throw error;
        call.options?.signal?.throwIfAborted();
        if (last) throw new MaceUnreachable(url, key, reasonOf(error), { cause: error });
      } finally {
        limit.end();
      }
      await pause(Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS), call.options?.signal);
    }
  }

  #limitOf({ options }: Call): AttemptLimit {
    return new AttemptLimit(this.#options.timeoutMs ?? 30_000, options?.signal);
  }

  #urlOf({ path, query = {} }: Call): string {
    const given = Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(
        (one): [string, string] => [name, String(one)],
      ),
    );
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    return `${this.#options.baseUrl.replace(/\/+$/, '')}${path}${search}`;
  }

  async #requestOf(call: Call, key: string | undefined): Promise<RequestInit> {
    const { token } = this.#options;
    const headers = new Headers({
      accept: 'application/json',
      authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
    });
    const { consistency = this.#options.consistency ?? 'own-writes' } = call.options ?? {};
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    if (key !== undefined) headers.set('idempotency-key', key);
    if (consistency === 'eventual') headers.set('mace-consistency', 'eventual');
    else this.#askFor(headers, call.options?.after);
    return {
      method: call.method,
      headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
  }

  /**
   * Adds the headers that ask for a state which includes the position `after` and everything that this
   * client has written.
   */
  #askFor(headers: Headers, after: bigint | undefined): void {
    const own = this.#position;
    const least = own === undefined || (after !== undefined && after > own) ? after : own;
    if (least !== undefined) headers.set('mace-min-position', String(least));
  }

  #notePosition(response: Response): void {
    const text = response.headers.get('mace-position');
    if (text === null || !/^\d+$/.test(text)) return;
    const position = BigInt(text);
    if (this.#position === undefined || position > this.#position) this.#position = position;
  }
}

function failureOf(response: Response, text: string, url: string, key?: string): Error {
  const body = parsed(text);
  if (isEnvelope(body)) return new MaceError(body);
  return new MaceUnreachable(url, key, `something else answered there, with ${response.status}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the cause behind fetch's generic "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
