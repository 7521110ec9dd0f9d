import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { scanId } from '#domain/privacy/scan-id.js';
import { routeOf, subHash } from '../errors/failure-log.js';
import type { KeyedHash } from '../http/identity.js';
import type { Owned } from './roles.js';

/** The things whose names are their owners' own words, which no log line may show (SPEC P6). */
const NAMED_BY_OWNERS: ReadonlySet<Owned> = new Set<Owned>(['note', 'conversation', 'thread']);

type Parameters = Readonly<Record<string, string>>;

/** The fields of a query or a body that name one record, if the path does not. */
const NAMES = ['owner', 'stream', 'namespace', 'key', 'thread_id', 'checkpoint_ns', 'user_id'];

/**
 * Writes a line for each record of others that an auditor, a council member or an admin reads. The line names
 * the reader, the route and the record, and never has a value. The guard has noted whose data the caller
 * reaches. An answer with `Mace-Position` is the answer to a write, which is an event of its own.
 */
export const auditorReadsHook =
  (logger: Logger, keyedHash: KeyedHash) =>
  (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void => {
    const { othersRecord, actor, trace_id } = request.mace;
    const isReading =
      logger.isLevelEnabled('info') &&
      othersRecord !== undefined &&
      actor !== undefined &&
      reply.statusCode < 300 &&
      !reply.hasHeader('mace-position') &&
      !isPublicFact(request);
    if (isReading)
      logger.info({
        type: 'auditor_read',
        caller: subHash(actor.sub),
        roles: actor.roles,
        route: `${request.method} ${routeOf(request)}`,
        ...recordOf(request, othersRecord, keyedHash),
        trace_id,
      });
    done(null, payload);
  };

/** True for a fact that every caller may read. */
const isPublicFact = ({ params }: FastifyRequest): boolean => {
  const { scope = 'user' } = (params ?? {}) as Parameters;
  return scope !== 'user';
};

/** Returns the name of the record, or an HMAC of the name; nothing for a list. */
function recordOf(
  request: FastifyRequest,
  thing: Owned,
  keyedHash: KeyedHash,
): { readonly record?: Parameters; readonly record_hash?: string } {
  const params = { ...(request.params as Parameters | undefined) };
  if (NAMED_BY_OWNERS.has(thing))
    return { record_hash: keyedHash({ params, ...namesIn(request) }) };
  if (Object.keys(params).length === 0) return {};
  const isClear = Object.values(params).every(
    (id) => scanId(id, request.server.privacyRules).outcome === 'clear',
  );
  return isClear ? { record: params } : { record_hash: keyedHash({ params }) };
}

function namesIn({ query, body }: FastifyRequest): Parameters {
  const given = { ...(query as object | null), ...(body as object | null) } as Parameters;
  return Object.fromEntries(
    NAMES.flatMap((name) => (name in given ? [[name, given[name] ?? '']] : [])),
  );
}
