import http from 'node:http';
import https from 'node:https';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type JsonBounds, parseBounded } from './bounded-json.js';
import { TimeLimit } from './time-limit.js';

/** A request to a service outside, with the bounds of its answer. */
export interface OutsideRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly url: string;
  /** The path and the query as they are sent, without the changes that URLs make to them; default: those of `url`. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The time for all of it, from the connection to the end of the answer's body, in ms. */
  readonly timeoutMs: number;
  /**
   * The maximum size of the answer's body, as it arrives and when it is decompressed; 0 if only the status counts, and
   * the body is not read.
   */
  readonly maxBytes: number;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

/** An answer whose body is read whatever its status is. */
export interface OutsideBytes {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface OutsideAnswer {
  readonly status: number;
  /** The body; empty if it is not read, such as that of a status other than 2xx. */
  readonly text: string;
}

/**
 * How a request failed. `too_large`: the headers or the body exceed their bound. `malformed`: the answer is not HTTP, not
 * UTF-8, not the JSON that its bounds allow, or its compression is broken or unknown.
 */
export type OutsideFailure = 'timeout' | 'network' | 'too_large' | 'malformed';

/** Thrown if a service outside gave no usable answer. The error contains nothing of the request or the answer. */
export class OutsideFailed extends Error {
  override readonly name = 'OutsideFailed';

  constructor(
    readonly failure: OutsideFailure,
    /** The HTTP status; null if none arrived. */
    readonly status: number | null,
  ) {
    super(`a service outside failed: ${failure}`);
  }
}

// The services keep an idle connection for 5 s or longer, so none is used that its server is about to close.
const IDLE = { keepAlive: true, timeout: 4_000, maxFreeSockets: 16 };
const AGENTS = { http: new http.Agent(IDLE), https: new https.Agent(IDLE) };

/** The codecs of the only layer that an answer may have, though the request asks for none. */
const CODECS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Sends a request to a service outside: a recogniser, a language model, a webhook’s receiver, an identity provider, a
 * store of artifacts. It is the only client for them. Every part of the answer is bounded, and a redirect is not
 * followed, because it could send the request to a host that is not configured.
 * @throws OutsideFailed; the reason of `signal` if it aborts
 */
export async function askOutside(request: OutsideRequest): Promise<OutsideAnswer> {
  const isRead = (status: number): boolean =>
    request.maxBytes > 0 && status >= 200 && status <= 299;
  const { status, bytes } = await exchanged(request, isRead);
  try {
    return { status, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new OutsideFailed('malformed', status);
  }
}

/** Does the same for bytes, and reads the body of every answer. */
export const askOutsideForBytes = (request: OutsideRequest): Promise<OutsideBytes> =>
  exchanged(request, () => true);

async function exchanged(
  request: OutsideRequest,
  isRead: (status: number) => boolean,
): Promise<OutsideBytes> {
  const limit = new TimeLimit(request.timeoutMs, request.signal);
  let response: http.IncomingMessage | undefined;
  try {
    response = await responseTo(request, limit.signal);
    const { statusCode: status = 0, headers } = response;
    if (!isRead(status)) return { status, headers, bytes: Buffer.alloc(0) };
    return { status, headers, bytes: await bytesOf(response, request.maxBytes, limit.signal) };
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new OutsideFailed(
      limit.reached ? 'timeout' : failureOf(cause),
      response?.statusCode ?? null,
    );
  } finally {
    limit.end();
    // The connection of an answer that was not read to its end is closed.
    if (response?.readableEnded === false) response.destroy();
  }
}

/** Sends a request whose answer is JSON; undefined with a status other than 2xx. @throws OutsideFailed */
export async function askOutsideForJson(
  request: OutsideRequest,
  bounds: JsonBounds,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const { status, text } = await askOutside(request);
  if (status < 200 || status > 299) return { status, json: undefined };
  try {
    return { status, json: parseBounded(text, bounds) };
  } catch {
    throw new OutsideFailed('malformed', status);
  }
}

function responseTo(
  { method, url, path, headers = {}, body }: OutsideRequest,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.startsWith('https:');
    const sent = (isSecure ? https : http).request(url, {
      method,
      ...(path !== undefined && { path }),
      headers: { ...headers, 'accept-encoding': 'identity' },
      agent: isSecure ? AGENTS.https : AGENTS.http,
      signal,
    });
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function bytesOf(
  response: http.IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const limited = atMost(maxBytes);
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return await pipeline(response, limited, collected, { signal });
  const codec = CODECS[encoding];
  if (codec === undefined) throw new Malformed();
  return await pipeline(response, limited, codec(), atMost(maxBytes), collected, { signal });
}

const atMost = (maxBytes: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new TooLarge();
      yield chunk;
    }
  };

async function collected(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

class TooLarge extends Error {}
class Malformed extends Error {}

function failureOf(cause: unknown): OutsideFailure {
  const { code = '' } = cause as { readonly code?: string };
  if (cause instanceof TooLarge || code === 'HPE_HEADER_OVERFLOW') return 'too_large';
  if (cause instanceof Malformed || /^(HPE_|Z_|ERR_BROTLI|ERR__ERROR_)/.test(code))
    return 'malformed';
  return 'network';
}
