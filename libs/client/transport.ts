import type { ArgumentKind } from './argument-kinds.js';
import { requireArguments, requireOptions, requireQueryValue } from './arguments.js';
import { isEnvelope, MaceError, MaceUnreachable } from './mace-error.js';
import { randomKey } from './random-key.js';
import { requestText } from './records.js';

/**
 * Yields the chunks of an answer's body as they arrive. Throws the signal's reason when the signal
 * aborts. The signal that was passed to `fetch` is not enough: in Node 20 it no longer ends the body
 * once the garbage collector has run.
 */
export async function* chunksOf(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!response.body) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns the whole body as text. Throws as `chunksOf` does. */
async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(response, signal))
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/**
 * The time limit of one attempt. Its signal aborts when the time is up or when the caller's signal
 * aborts. It has its own timer, because signals from AbortSignal.timeout and AbortSignal.any can be
 * garbage-collected, and then never abort.
 */
class AttemptLimit {
  readonly #controller = new AbortController();
  readonly #giveUp = (): void => this.#controller.abort(this.#caller?.reason);
  readonly #timeUp = (): void =>
    this.#controller.abort(new Error(`no answer within ${this.#timeoutMs} ms`));
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout>;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    this.#timer = setTimeout(this.#timeUp, timeoutMs);
    if (caller?.aborted) this.#giveUp();
    caller?.addEventListener('abort', this.#giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the clock, for example while the caller works on a piece of the answer. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Gives the attempt the whole time again. */
  restart(): void {
    this.pause();
    this.#timer = setTimeout(this.#timeUp, this.#timeoutMs);
  }

  end(): void {
    this.pause();
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }
}

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
  /**
   * The number of retries after a network error, a 503, or a 429 that is over within 10 s. The pauses grow,
   * and differ at random, so that clients do not return at the same moment. The default is 3; 0 means no retry.
   */
  readonly retries?: number;
  /**
   * The timeout of one attempt in ms. The default is 30,000. A bundle may stream for longer: for its
   * lines, this is the longest wait for the next piece. A stream of events has its own limit.
   */
  readonly timeoutMs?: number;
  /** The consistency of calls that do not set one. The default is `own-writes`. */
  readonly consistency?: Consistency;
}

/** The options that every call has. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * The W3C trace context of the call, `00-<32 hex digits>-<16 hex digits>-<2 hex digits>`. The events, log lines and
   * errors of the call have its trace id. By default the service makes one.
   */
  readonly traceparent?: string;
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

/** Options of a read that can be unredacted. */
export interface AccessOptions {
  /**
   * Why the caller reads personal data unredacted, at most 512 characters. It is recorded with the read, without
   * personal data, for auditors and for the person whose data it is.
   */
  readonly accessReason?: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL, with its parts already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** A file of lines in place of a JSON body. */
  readonly file?: string | Blob;
  /**
   * Set for a POST or PUT that can safely be sent twice, also if others have written in between. It is sent without an
   * Idempotency-Key.
   */
  readonly repeatable?: boolean;
  /** Further headers; `accept` replaces the default. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: WriteOptions & ReadOptions & AccessOptions;
}

const CLIENT_OPTIONS = {
  baseUrl: 'serviceUrl',
  token: 'token',
  fetch: 'function?',
  retries: 'count?',
  timeoutMs: 'milliseconds?',
  consistency: 'writesSeen?',
} as const satisfies Record<keyof MaceClientOptions, ArgumentKind>;

type AnyCallOptions = NonNullable<Call['options']>;

const CALL_OPTIONS = {
  signal: 'signal?',
  traceparent: 'traceparent?',
  idempotencyKey: 'idempotencyKey?',
  consistency: 'writesSeen?',
  after: 'position?',
  accessReason: 'id?',
} as const satisfies Record<keyof AnyCallOptions, ArgumentKind>;

/** The kinds of the options that a call has of its own, beside those that every call has. */
export type OwnOptions<Options> = Readonly<
  Record<Exclude<keyof Options, keyof AnyCallOptions>, ArgumentKind>
>;

/** Checks the options of a call that has some of its own. @throws MaceArgumentError */
export const requireCallOptions = <Options extends object>(
  options: Options,
  own: OwnOptions<Options>,
): void => requireOptions(options, { ...own, ...CALL_OPTIONS });

/** The option of a read of one thing that may be unredacted. */
export const GET_OPTIONS = { unredacted: 'trueText?' } as const;

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2_000;
/** The longest pause in ms that a service can ask for with `Retry-After`; otherwise the call fails. */
const MAX_ASKED_WAIT_MS = 10_000;

/** Sends requests with the token, the Idempotency-Key, retries and positions, and reads the service's errors. */
export class Transport {
  readonly #options: MaceClientOptions;
  readonly #fetch: typeof globalThis.fetch;
  #position: bigint | undefined;

  constructor(options: MaceClientOptions) {
    requireOptions(options, CLIENT_OPTIONS);
    this.#options = options;
    // A browser refuses to call its fetch as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** The largest `Mace-Position` of all answers so far. */
  get position(): bigint | undefined {
    return this.#position;
  }

  /** Sends a call and returns the parsed JSON answer. Every answer of the service is an object. */
  async json<Answer>(call: Call): Promise<Answer> {
    return this.#send(call, async (response, signal) => {
      const body = parsed(await textOf(response, signal));
      if (typeof body !== 'object' || body === null) throw new Error(otherAnswer(response));
      return body as Answer;
    });
  }

  get<Answer>(path: string, query: Call['query'], options?: Call['options']): Promise<Answer> {
    return this.json({ method: 'GET', path, query, options });
  }

  post<Answer>(path: string, body: unknown, options?: Call['options']): Promise<Answer> {
    return this.json({ method: 'POST', path, body, options });
  }

  /** Sends a POST that can safely be sent twice. */
  ask<Answer>(path: string, body: unknown, options?: Call['options']): Promise<Answer> {
    return this.json({ method: 'POST', path, body, repeatable: true, options });
  }

  /** Gets an answer and yields its lines as they arrive. Fails if the answer is cut off. */
  async *lines(
    path: string,
    query: Call['query'],
    options?: Call['options'],
  ): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    for await (const piece of this.pieces({ method: 'GET', path, query, options })) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    rest += decoder.decode();
    if (rest !== '') yield rest;
  }

  /**
   * Sends a call and yields the bytes of the answer as they arrive. Fails if the answer is cut off, or if it
   * is silent for longer than `silenceMs`. `onOpen` is called when the answer has begun.
   */
  async *pieces(
    call: Call,
    silenceMs?: number,
    onOpen?: () => void,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const response = await this.#send(call, (answer) => Promise.resolve(answer));
    onOpen?.();
    const limit = this.#limitOf(call, silenceMs);
    try {
      for await (const chunk of chunksOf(response, limit.signal)) {
        limit.pause();
        yield chunk;
        limit.restart();
      }
    } catch (error) {
      call.options?.signal?.throwIfAborted();
      throw new MaceUnreachable(this.#urlOf(call), undefined, reasonOf(error), { cause: error });
    } finally {
      limit.end();
    }
  }

  /** Sends a call, and retries it up to `retries` times after temporary failures. */
  async #send<Answer>(
    call: Call,
    answerOf: (response: Response, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    // Here, before `fetch` fails with options of another kind as if the network had.
    requireOptions(call.options ?? {}, CALL_OPTIONS);
    const url = this.#urlOf(call);
    const needsKey = call.method !== 'GET' && call.repeatable !== true;
    const key = call.options?.idempotencyKey ?? (needsKey ? randomKey() : undefined);
    const body = call.file ?? (call.body === undefined ? undefined : requestText(call.body));
    const retries = this.#options.retries ?? 3;
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= retries;
      // An error of the caller's own function for the token is thrown as it is: the service did not fail.
      const request = await this.#requestOf(call, body, key);
      const limit = this.#limitOf(call);
      let waitMs: number;
      try {
        const { signal } = limit;
        // A browser's fetch refuses to be called as a method of another object.
        const send = this.#fetch;
        const response = await send(url, { ...request, signal });
        this.#notePosition(response);
        if (response.ok) return await answerOf(response, signal);
        const wait = waitAsked(response) ?? waitBefore(attempt);
        const isTemporary = response.status === 503 || response.status === 429;
        if (last || !isTemporary || wait > MAX_ASKED_WAIT_MS)
          throw failureOf(response, await textOf(response, signal), url, key);
        await response.body?.cancel();
        waitMs = wait;
      } catch (error) {
        if (error instanceof MaceError || error instanceof MaceUnreachable) throw error;
        call.options?.signal?.throwIfAborted();
        if (last) throw new MaceUnreachable(url, key, reasonOf(error), { cause: error });
        waitMs = waitBefore(attempt);
      } finally {
        limit.end();
      }
      await pause(waitMs, call.options?.signal);
    }
  }

  #limitOf({ options }: Call, timeoutMs = this.#options.timeoutMs ?? 30_000): AttemptLimit {
    return new AttemptLimit(timeoutMs, options?.signal);
  }

  #urlOf({ path, query = {} }: Call): string {
    for (const [name, value] of Object.entries(query)) requireQueryValue(path, name, value);
    const given = Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(
        (one): [string, string] => [name, String(one)],
      ),
    );
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    return `${this.#options.baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${search}`;
  }

  async #requestOf(
    call: Call,
    body: string | Blob | undefined,
    key: string | undefined,
  ): Promise<RequestInit> {
    const { token } = this.#options;
    const headers = new Headers({
      accept: 'application/json',
      authorization: `Bearer ${await bearerOf(token)}`,
      ...call.headers,
    });
    const { consistency = this.#options.consistency ?? 'own-writes' } = call.options ?? {};
    const { traceparent, accessReason } = call.options ?? {};
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    if (accessReason !== undefined)
      headers.set('mace-access-reason', encodeURIComponent(accessReason));
    const type = call.file === undefined ? 'application/json' : 'application/x-ndjson';
    if (body !== undefined) headers.set('content-type', type);
    if (key !== undefined) headers.set('idempotency-key', key);
    if (consistency === 'eventual') headers.set('mace-consistency', 'eventual');
    else this.#askFor(headers, call.options?.after);
    return {
      method: call.method,
      headers,
      // fetch would follow a redirected POST as a GET: its answer looks like that of the write, and nothing is stored.
      redirect: 'manual',
      ...(body !== undefined && { body }),
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
  if (isEnvelope(body)) return new MaceError(body, waitAsked(response));
  return new MaceUnreachable(url, key, otherAnswer(response));
}

function otherAnswer({ status, headers }: Response): string {
  const location = headers.get('location');
  const target = location === null ? '' : `, and redirects to ${location}`;
  return `something else answered there, with ${status}${target}`;
}

async function bearerOf(token: MaceClientOptions['token']): Promise<string> {
  if (typeof token === 'string') return token;
  const given = await token();
  requireArguments({ 'options.token()': given }, { 'options.token()': 'tokenText' });
  return given;
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

/** Returns the pause in ms before an attempt after `failures` failed ones: it doubles, and differs at random. */
export const waitBefore = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS) * (0.5 + Math.random() / 2);

/** Returns the pause in ms that an answer asks for with `Retry-After`; undefined if it does not. */
function waitAsked(response: Response): number | undefined {
  const seconds = response.headers.get('retry-after');
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/** Waits. Rejects with the signal's reason when the signal aborts. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
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
    if (signal?.aborted) stop();
  });
