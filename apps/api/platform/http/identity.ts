import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { keyedCommandId } from '#domain/determinism/command-identity.js';
import { Refusal } from '#domain/errors/refusal.js';
import { personOf } from '#domain/ownership/access.js';
import { privacyBlocked } from '#domain/privacy/require-clear.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanId } from '#domain/privacy/scan-id.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { callerOf } from '../auth/caller.js';
import { isDryRun } from './dry-run.js';

/** Returns the HMAC-SHA256 of a value's canonical JSON under the signing key, as hex (SPEC I7). */
export type KeyedHash = (value: unknown) => string;

declare module 'fastify' {
  interface FastifyInstance {
    keyedHash: KeyedHash;
    privacyRules: RuleSet;
  }
}

/** The command identity of a request (SPEC I7). */
export interface RequestIdentity extends CommandIdentity {
  /**
   * True if the request has an Idempotency-Key. The handler of such a request first claims
   * `command-<command_id>`, unless the path names the stream.
   */
  readonly keyed: boolean;
  /** The time of receipt, ISO 8601 UTC; the default for timestamps that the caller leaves out. */
  readonly received_at: string;
  /** The request's id in log lines. */
  readonly query_id?: string;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

const invalidKey = (reason: string): Refusal =>
  new Refusal('INVALID_INPUT', { reason }).teaching({
    instead:
      'Send one Idempotency-Key for a write and its retries, such as a new UUID, or leave it out.',
  });

/** Returns the header Idempotency-Key, or the body's equivalent `idempotency_token` (SPEC S2). */
function idempotencyKey(request: FastifyRequest, token: unknown): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined && token === undefined) return undefined;
  const key = header ?? token;
  if (typeof key !== 'string' || !KEY.test(key))
    throw invalidKey('Idempotency-Key must be 1 to 255 printable ASCII characters without spaces');
  if (header !== undefined && token !== undefined && header !== token)
    throw invalidKey('Idempotency-Key and idempotency_token differ');
  return key;
}

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

/** Returns the request's command identity, and marks the request as a write, unless it only asks what it would do. */
export function identityOf(request: FastifyRequest): RequestIdentity {
  request.mace.isWrite = !isDryRun(request);
  return (request.mace.identity = replayedIdentity(request) ?? newIdentity(request));
}

/** Returns the identity of a stored request that is sent again, perhaps by several instances. */
function replayedIdentity({ mace: { replay } }: FastifyRequest): RequestIdentity | undefined {
  return replay && { ...replay.request.identity, isSentAgain: true };
}

/** Returns the HMAC of a request's parsed body; null without one. */
export function bodyHashOf({ body, server }: FastifyRequest): string | null {
  if (body === undefined || body === null) return null;
  const { idempotency_token: _token, ...hashed } = body as Record<string, unknown>;
  return server.keyedHash(hashed);
}

/** Returns what a request asks for beside its path: its body, and its query if it has one, as a DELETE may. */
function askedOf({ query }: FastifyRequest, body: Record<string, unknown>): unknown {
  const fields = { ...(query as Record<string, unknown>) };
  return Object.keys(fields).length === 0 ? body : { query: fields, body };
}

/** @throws Refusal PRIVACY_BLOCKED for personal data in the user id of a token, which stands in no field */
function requireClearUser(user_id: string, rules: RuleSet): void {
  const verdict = scanId(user_id, rules);
  if (verdict.outcome !== 'clear')
    throw privacyBlocked(verdict).teaching({
      instead:
        'The user id in the token has personal data, and is stored with each write: use a token whose user_id is a random word or number.',
    });
}

function newIdentity(request: FastifyRequest): RequestIdentity {
  const caller = callerOf(request);
  const person = personOf(caller);
  // The author's id is stored with each write, so it must not have personal data (SPEC I4).
  if (person.user_id !== null) requireClearUser(person.user_id, request.server.privacyRules);
  const sent = (request.body ?? {}) as Record<string, unknown>;
  const { idempotency_token: token, ...body } = sent;
  const key = idempotencyKey(request, token);
  return {
    command_id:
      key === undefined
        ? randomUUID()
        : keyedCommandId(person, `${request.method} ${pathOf(request.url)}`, key),
    body_hash: request.server.keyedHash(askedOf(request, body)),
    actor: person.sub,
    trace_id: request.mace.trace_id,
    keyed: key !== undefined,
    received_at: new Date().toISOString(),
    query_id: request.mace.query_id,
  };
}

/** The header that marks a route as a write in openapi.json. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The header of an idempotent write. */
export const IDEMPOTENCY_HEADER = {
  name: IDEMPOTENCY_KEY,
  required: false,
  description:
    'Makes retries safe: a retry with the same key and body gets the first answer and adds nothing.',
  schema: { type: 'string', pattern: KEY.source },
} as const;
