import { isEnvelope, MaceError, MaceUnreachable } from './mace-error.js';

/**
 * What a read shows. `own-writes`: everything that this client has written or seen written, on whichever instance
 * of the service. `eventual`: what the projections have at that moment, without a wait.
 */
export type Consistency = 'own-writes' | 'eventual';

/** What a client is made of. */
export interface MaceClientOptions {
  /** Where the service listens, for example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** A bearer token, or a function that is asked for one before every attempt. */
  readonly token: string | (() => string | Promise<string>);
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often a request is sent again after a network error or a 503. Default 3; 0 never. */
  readonly retries?: number;
  /** Milliseconds that one attempt may take. Default 30,000. */
  readonly timeoutMs?: number;
  /** What every call does that does not say otherwise. Default `own-writes`. */
  readonly consistency?: Consistency;
}

/** Options of any one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * The request's identity: the same key with the same body, now or after a crash, gets the first answer
   * and makes no second event. Default: a new random key for each call, so that retries are safe.
   */
  readonly idempotencyKey?: string;
}

/** Options of a call that reads a projection. */
export interface ReadOptions extends CallOptions {
  /** Default: the client's. A read that is to show own writes waits at most 2 s, then fails with PROJECTION_LAG. */
  readonly consistency?: Consistency;
  /** Everything up to this position is shown as well, such as what another client wrote. Not with `eventual`. */
  readonly after?: bigint;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, components already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** A POST that may be sent twice as it is: it gets no key of its own. */
  readonly repeatable?: boolean;
  readonly options?: WriteOptions & ReadOptions;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** Sends requests: token, Idempotency-Key, retries, positions and the envelope. */
export class Transport {
  readonly #options: MaceClientOptions;
  readonly #fetch: typeof globalThis.fetch;
  #position: bigint | undefined;

  constructor(options: MaceClientOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** The largest `Mace-Position` that any answer named. */
  get position(): bigint | undefined {
    return this.#position;
  }

  /** Sends a call and parses the JSON that answers it. */
  async json<Answer>(call: Call): Promise<Answer> {
    return this.#send(call, async (response) => {
      const text = await response.text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    });
  }

  /** Sends a call and hands out the lines of its answer as they come; fails when the answer is cut off. */
  async *lines(call: Call): AsyncGenerator<string> {
    const response = await this.#send(call, (answer) => Promise.resolve(answer));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    try {
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
      rest += decoder.decode();
    } catch (error) {
      call.options?.signal?.throwIfAborted();
      throw new MaceUnreachable(this.#urlOf(call), undefined, reasonOf(error), { cause: error });
    }
    if (rest !== '') yield rest;
  }

  /** Sends a call, as often as `retries` allows, until an answer is there that is not a passing fault. */
  async #send<Answer>(
    call: Call,
    answerOf: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const url = this.#urlOf(call);
    const needsKey = call.method !== 'GET' && call.repeatable !== true;
    const key = call.options?.idempotencyKey ?? (needsKey ? crypto.randomUUID() : undefined);
    const retries = this.#options.retries ?? 3;
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= retries;
      try {
        const response = await this.#fetch(url, await this.#requestOf(call, key));
        this.#notePosition(response);
        if (response.ok) return await answerOf(response);
        if (response.status !== 503 || last) throw await failureOf(response, url, key);
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof MaceError || error instanceof MaceUnreachable) throw error;
        call.options?.signal?.throwIfAborted();
        if (last) throw new MaceUnreachable(url, key, reasonOf(error), { cause: error });
      }
      await pause(Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS), call.options?.signal);
    }
  }

  #urlOf({ path, query = {} }: Call): string {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    return `${this.#options.baseUrl.replace(/\/+$/, '')}${path}${search}`;
  }

  async #requestOf(call: Call, key: string | undefined): Promise<RequestInit> {
    const { token, timeoutMs = 30_000 } = this.#options;
    const headers = new Headers({
      accept: 'application/json',
      authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
    });
    const { consistency = this.#options.consistency ?? 'own-writes', signal } = call.options ?? {};
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    if (key !== undefined) headers.set('idempotency-key', key);
    if (consistency === 'eventual') headers.set('mace-consistency', 'eventual');
    else this.#askFor(headers, call.options?.after);
    const timeout = AbortSignal.timeout(timeoutMs);
    return {
      method: call.method,
      headers,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
  }

  /** Asks for everything up to `after`, and for everything that this client knows to be written. */
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

async function failureOf(response: Response, url: string, key?: string): Promise<Error> {
  const text = await response.text();
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

/** What lies behind fetch's bare "fetch failed". */
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
