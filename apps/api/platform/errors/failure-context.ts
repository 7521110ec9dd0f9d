import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { keyIn } from '#domain/canonical-key/canonical-key.js';
import type { Refusal } from '#domain/errors/refusal.js';
import { clearText } from '#domain/privacy/clear-text.js';
import { isSemStream, jobStream, keyOfSemStream } from '#domain/stream-names.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { bodyHashOf, type KeyedHash } from '../http/identity.js';
import type { RequestContext } from '../http/request-context.js';
import type { JobStore } from '../stores.js';
import { CONFIG, JOB_STORE, KEYED_HASH } from '../tokens.js';
import { type FailedRequest, routeOf } from './failure-log.js';
import { logRoom } from './log-room.js';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** The names of the events in 002's failure cases, beside the error codes. */
const EVENTS: Readonly<Record<string, string>> = {
  SEM_NOT_FOUND: 'sem_miss',
  AGENT_TIMEOUT: 'agent_timeout',
};

/**
 * Collects what the service knows of a failed request for its log line (SPEC F3). It waits for no server, and
 * shows bodies and users only as HMACs (SPEC P6).
 */
@Injectable()
export class FailureContext {
  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly facts: SemSnapshots,
  ) {}

  async of(
    request: FastifyRequest,
    context: RequestContext,
    refusal: Refusal,
  ): Promise<FailedRequest> {
    const { code } = refusal;
    const user = context.actor?.user_id;
    const event = EVENTS[code];
    const key = keyOf(request, refusal);
    return {
      context,
      method: request.method,
      route: routeOf(request),
      known: {
        ...(event === undefined ? {} : { event }),
        ...(key === undefined ? {} : { key: clearText(key, this.config.privacyRules) }),
        user_hash: user === undefined ? null : this.keyedHash(user),
        body_hash: context.identity?.body_hash ?? context.unreadHash ?? bodyHashOf(request),
        sem_snapshot_hash: this.factsHashOf(request),
        ...(code === 'STORAGE_FULL' ? await logRoom(this.config) : {}),
      },
    };
  }

  /** Returns the hash of the facts that the request's job reads, else of the latest facts in memory. */
  private factsHashOf({ params, body, query }: FastifyRequest): string | null {
    const seed =
      fieldsOf(params)['seed'] ?? fieldsOf(body)['job_seed'] ?? fieldsOf(query)['job_seed'];
    const job = typeof seed === 'string' ? this.jobs.inMemory(jobStream(seed)) : undefined;
    return job?.started?.snapshots.sem_snapshot_hash ?? this.latestFactsHash();
  }

  private latestFactsHash(): string | null {
    const { latestHash } = this.facts;
    // The line does not wait for Postgres, which may be what has failed. The next line has the hash.
    if (latestHash === undefined) this.facts.current().catch(() => undefined);
    return latestHash ?? null;
  }
}

/** Returns the key of the requested fact; undefined if the request names no fact. */
function keyOf({ params }: FastifyRequest, { facts }: Refusal): string | undefined {
  const inPath = keyIn(fieldsOf(params));
  if (inPath !== undefined) return inPath;
  const stream = String(facts['stream'] ?? '');
  return isSemStream(stream) ? keyOfSemStream(stream) : undefined;
}
