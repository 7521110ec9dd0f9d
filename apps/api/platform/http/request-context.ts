import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#domain/recorded-event.js';
import type { Owned } from '../auth/roles.js';
import type { RequestIdentity } from './identity.js';
import { replayOf, type ReplayedRequest } from './replayed-request.js';

/** The ids of a request, which its answer and its log lines show. */
export interface RequestIds {
  /** Generated here unless a stored write is sent again. */
  readonly query_id: string;
  /** 32 hex digits: from the caller's `traceparent` (W3C), or generated here. */
  readonly trace_id: string;
}

/** The data of one request, from its first hook to its answer. */
export interface RequestContext extends RequestIds {
  /** `performance.now()` at the first hook. */
  readonly startedAt: number;
  /** Set after the token is verified; undefined on public routes. */
  actor: Actor | undefined;
  /** The thing of every owner that the caller's role reaches on this route; undefined if it reaches its own only. */
  othersRecord: Owned | undefined;
  /** The wall-clock time in ms at which the caller's token expires; 0 without a token. */
  tokenExpiresAt: number;
  /** True once the handler has read the command's identity. Only handlers of writes read it; a dry run counts as a read. */
  isWrite: boolean;
  identity: RequestIdentity | undefined;
  /** The HMAC of a body that is not strict JSON, for the log line of its refusal (SPEC F3). */
  unreadHash: string | undefined;
  /** A file in place of a JSON body, as it arrives. */
  file: AsyncIterable<Buffer> | undefined;
  /** The stored write that is sent again; undefined for a client's request (SPEC F2). */
  readonly replay: ReplayedRequest | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    mace: RequestContext;
  }
}

/** Version 00 has 55 characters, a later one may have more; ff and ids of zeros are invalid (W3C Trace Context). */
const TRACEPARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

const traceIdOf = (traceparent: string | string[] | undefined): string =>
  (typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined) ??
  randomUUID().replaceAll('-', '');

/** Returns new ids for a request whose headers cannot be read. */
export const newIds = (): RequestIds => ({
  query_id: randomUUID(),
  trace_id: traceIdOf(undefined),
});

/** Creates the context of a request, and sets the headers of every answer. */
export function openContext(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const replay = replayOf(request.raw);
  const storedIdentity = replay?.request.identity;
  const context: RequestContext = {
    query_id: storedIdentity?.query_id ?? randomUUID(),
    trace_id: storedIdentity?.trace_id ?? traceIdOf(request.headers.traceparent),
    startedAt: performance.now(),
    actor: undefined,
    othersRecord: undefined,
    tokenExpiresAt: 0,
    isWrite: false,
    identity: undefined,
    unreadHash: undefined,
    file: undefined,
    replay,
  };
  request.mace = context;
  reply.header('mace-query-id', context.query_id);
  reply.header('mace-trace-id', context.trace_id);
  // An answer is for its caller alone, and may be personal data: no cache keeps it, also not the browser's.
  reply.header('cache-control', 'no-store');
  return context;
}
