import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import { missing } from '#domain/sem/decide.js';
import { jobStream, semStream } from '#domain/stream-names.js';
import {
  type EventStore,
  EventStoreUnavailable,
  type LoggedEvent,
} from '#event-store/event-store.js';
import { type Fact, SemQueries, type SemStreamState } from '#projections/sem/queries.js';
import { Moments, requireOne } from '../moments/moments.js';
import { JobAccess } from '../ownership/job-access.js';
import { FactCache, type CacheLookup } from '../platform/cache/fact-cache.js';
import type { Trace } from '../platform/cache/redis-link.js';
import { versionAhead } from '../platform/state-at-version.js';
import { Metrics } from '../platform/health/metrics.js';
import { Answer } from '../platform/http/answer.js';
import { IDEMPOTENCY_HEADER, identityOf, type RequestIdentity } from '../platform/http/identity.js';
import type { ReadModels } from '../platform/read-models.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE, READ_MODELS } from '../platform/tokens.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { FactDto } from './fact-view.js';
import { FactRequests } from './fact-requests.js';
import { FactPermissions } from './fact-permissions.js';
import { IntegrityWarnings } from './integrity-warnings.js';
import { PinnedSemSnapshots } from './pinned-sem-snapshots.js';
import { ShownFacts } from './shown-facts.js';
import { readersOf } from '../platform/auth/roles.js';
import { At, EventNumber, SeedText, Text } from '../platform/http/fields.js';
import { Describes, FromRequest, ReadRequest } from '../platform/http/request.js';
import { EXAMPLE_KEY, FactKey } from './fact-fields.js';

@Describes({
  summary: 'One fact by its exact key, current or at an earlier state',
  roles: readersOf('user'),
  path: EXAMPLE_KEY,
  answers: [200, FactDto],
  fails: ['SEM_NOT_FOUND', 'NOT_FOUND', 'JOB_ENDED'],
  reads: ['sem'],
  ignoresOwnWrites: true,
})
export class GetFact extends ReadRequest<Answer<FactDto>> {
  @FactKey() readonly key!: string;

  @Text({
    optional: true,
    pattern: /^sem:[0-9a-f]{64}$/,
    form: 'be the id of a snapshot, as a job pins it: sem: and 64 hex digits',
    max: 68,
    description: '`sem:<hash>`, as pinned by a job.',
  })
  snapshot_id?: string;

  @EventNumber({
    optional: true,
    description: 'The number of an event of the fact’s stream.',
  })
  version?: number;

  @SeedText({
    optional: true,
    description: 'Reads at that job’s snapshot and records the read in the job.',
  })
  job_seed?: string;

  @At('snapshot_id', 'version', 'job_seed') at?: string;

  @Unredacted() unredacted?: 'true';

  /** A read for a job is recorded in the job. */
  @FromRequest(identityOf, IDEMPOTENCY_HEADER) identity!: RequestIdentity;
  @ReadBy() context!: ReadContext;
}

interface KnownFact {
  /** The result of the cache lookup; undefined if no cache is configured or Redis is down. */
  readonly lookup: CacheLookup | undefined;
  /** The row; undefined if it was not read because the cache had an entry. */
  readonly row: SemStreamState | undefined;
}

interface Found {
  readonly fact: Fact | undefined;
  /** True if the event store could not confirm that this is the latest value (SPEC S6). */
  readonly stale: boolean;
  /** The commit position of `memory_read`; undefined if the read was not recorded in a job. */
  readonly position: bigint | undefined;
  /** The position that a time stood for. */
  readonly asOf?: bigint;
}

@QueryHandler(GetFact)
export class GetFactHandler implements IQueryHandler<GetFact> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly queries: SemQueries,
    private readonly warnings: IntegrityWarnings,
    private readonly cache: FactCache,
    private readonly metrics: Metrics,
    private readonly permissions: FactPermissions,
    private readonly snapshots: PinnedSemSnapshots,
    private readonly access: JobAccess,
    private readonly shown: ShownFacts,
    private readonly requests: FactRequests,
    private readonly unredacted: UnredactedReads,
    private readonly moments: Moments,
  ) {}

  async execute(query: GetFact): Promise<Answer<FactDto>> {
    await this.permissions.requireRead(query.actor, query.key);
    const { fact, stale, position, asOf } = await this.find(query);
    if (fact === undefined) throw missing(query.key);
    const { actor, key, context } = query;
    const isPast =
      asOf !== undefined || query.snapshot_id !== undefined || query.job_seed !== undefined;
    const version = isPast ? fact.revision : query.version;
    const read = { stream: semStream(key), version };
    const mayOpen = await this.unredacted.allow(actor, query.unredacted, read, context);
    const [shown, approved_by] = await Promise.all([
      this.shown.of(actor, fact, mayOpen),
      this.requests.approvalOf(actor, fact),
    ]);
    const view = approved_by ? { ...shown, approved_by } : shown;
    return position === undefined
      ? Answer.asOf(view, asOf, !stale)
      : Answer.written(view, position);
  }

  private async find(query: GetFact): Promise<Found> {
    const { actor, key, identity, job_seed, snapshot_id, version, at } = query;
    requireOne({ job_seed, snapshot_id, version, at });
    const asOf = await this.moments.positionAt(at, 'sem');
    if (asOf !== undefined)
      return { ...upToDate(await this.queries.getAtPosition(key, asOf)), asOf };
    if (job_seed !== undefined) return this.forJob(actor, job_seed, key, identity);
    if (snapshot_id !== undefined) return upToDate(await this.atSnapshot(key, snapshot_id));
    if (version !== undefined) {
      const last = await this.reachLastEvent(key);
      if (last !== 'unknown' && last !== undefined && version > last.number)
        throw versionAhead(version, last.number);
      const fact = await this.queries.getAtRevision(key, version);
      return { fact, stale: last === 'unknown', position: undefined };
    }
    return this.current(key, identity);
  }

  /**
   * Returns the latest fact. It includes every event that the key's stream had when the request came
   * (SPEC S6).
   */
  private async current(key: string, trace: Trace): Promise<Found> {
    const [known, last] = await Promise.all([this.lookUp(key, trace), this.lastEvent(key)]);
    const { lookup, row } = known;
    if (last === 'unknown') {
      const { fact } = row ?? (await this.read(key, trace));
      return { fact, stale: true, position: undefined };
    }
    if (row === undefined && lookup?.state !== undefined) {
      // The entry of the cache is used only if the stream still ends with the entry's event.
      const isCurrent = lookup.state.revision === last?.number;
      this.metrics.cacheLookups.inc({ outcome: isCurrent ? 'hit' : 'stale' });
      if (isCurrent) return upToDate(lookup.state.fact);
    }
    const current = await this.rowUpTo(last, key, trace, row);
    if (lookup !== undefined && current.disputed === undefined)
      void this.cache.fill(key, lookup, current);
    return upToDate(current.fact);
  }

  /** Returns the entry of the cache or, without an entry, the row of the read model. */
  private async lookUp(key: string, trace: Trace): Promise<KnownFact> {
    const lookup = await this.cache.lookUp(key, trace);
    if (lookup?.state !== undefined) return { lookup, row: undefined };
    const outcome = lookup === undefined ? 'down' : 'miss';
    if (this.cache.isConfigured) this.metrics.cacheLookups.inc({ outcome });
    return { lookup, row: await this.read(key, trace) };
  }

  /**
   * Returns the row, including the stream's last event. It reads the row again only if `row` is older.
   */
  private async rowUpTo(
    last: LoggedEvent | undefined,
    key: string,
    trace: Trace,
    row: SemStreamState | undefined,
  ): Promise<SemStreamState> {
    const read = row ?? (await this.read(key, trace));
    if (last === undefined || read.revision >= last.number) return read;
    await this.readModels.reach(last.position, ['sem']);
    const shown = await this.read(key, trace);
    if (shown.revision >= last.number) return shown;
    // The read model has passed the event, and yet has not its row.
    const { stream, number } = last;
    const reason = 'the rows of its fact lack this event, so they were changed outside the service';
    throw new Refusal('INTEGRITY_FAILURE', { stream, number, reason });
  }

  /** Reads the row of the read model, and reports a fact that has more than one value. */
  private async read(key: string, trace: Trace): Promise<SemStreamState> {
    const state = await this.queries.get(key);
    if (state.disputed !== undefined) await this.warnings.tell(key, state, trace);
    return state;
  }

  /**
   * Resolves with the last event of the key's stream once the read model shows it; `unknown` if the event store
   * cannot be reached.
   */
  private async reachLastEvent(key: string) {
    const last = await this.lastEvent(key);
    if (last !== undefined && last !== 'unknown')
      await this.readModels.reach(last.position, ['sem']);
    return last;
  }

  /** Returns the last event of the key's stream; `unknown` if the event store cannot be reached. */
  private lastEvent(key: string) {
    return this.eventStore.lastOf(semStream(key)).catch((cause: unknown) => {
      if (cause instanceof EventStoreUnavailable) return 'unknown' as const;
      throw cause;
    });
  }

  private async atSnapshot(key: string, snapshotId: string): Promise<Fact | undefined> {
    const { eventCount } = await this.snapshots.require(snapshotId);
    return this.queries.getAtCount(key, eventCount);
  }

  /** Reads the fact at the job's snapshot, and records the read in the job (SPEC J10). */
  private async forJob(
    actor: Actor,
    seed: string,
    key: string,
    identity: RequestIdentity,
  ): Promise<Found> {
    await this.access.requireUse(actor, seed);
    const { state } = await this.jobs.load(jobStream(seed));
    const count = state.started?.snapshots.sem_event_count ?? 0;
    const fact = await this.queries.getAtCount(key, count);
    const read = { op: 'memory_read', kind: 'sem_get', ids: [key] } as const;
    const { position } = await this.jobs.execute(jobStream(seed), [read], identity);
    return { fact, stale: false, position };
  }
}

const upToDate = (fact: Fact | undefined): Found => ({ fact, stale: false, position: undefined });
