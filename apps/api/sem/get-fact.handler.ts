import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import { missing } from '#domain/sem/decide.js';
import { semStream } from '#domain/sem/state.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import { JobAccess, jobStream } from '../jobs/job-access.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ReadModels } from '../platform/resources.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE, READ_MODELS } from '../platform/tokens.js';
import type { GetFactQuery } from './dto/fact.dto.js';
import { FactPermissions } from './fact-permissions.js';
import { PinnedSemSnapshots } from './pinned-sem-snapshots.js';

export interface FactRead {
  readonly fact: Fact;
  /** The event store could not be asked whether this is the latest (SPEC S6). */
  readonly stale: boolean;
  /** Of the `memory_read`, where the reading was recorded in a job. */
  readonly position: bigint | undefined;
}

export class GetFact extends Query<FactRead> {
  constructor(
    readonly actor: Actor,
    readonly key: string,
    readonly at: GetFactQuery,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

type Found = Omit<FactRead, 'fact'> & { readonly fact: Fact | undefined };

@QueryHandler(GetFact)
export class GetFactHandler implements IQueryHandler<GetFact> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly queries: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly snapshots: PinnedSemSnapshots,
    private readonly access: JobAccess,
  ) {}

  async execute(query: GetFact): Promise<FactRead> {
    parseKey(query.key);
    await this.permissions.toRead(query.actor, query.key);
    const { fact, ...rest } = await this.find(query);
    if (fact === undefined) throw missing(query.key);
    return { fact, ...rest };
  }

  private async find({ actor, key, at, identity }: GetFact): Promise<Found> {
    const { job_seed, snapshot_id, version } = at;
    if ([job_seed, snapshot_id, version].filter((one) => one !== undefined).length > 1)
      throw new Refusal('INVALID_INPUT', {
        reason: 'only one of job_seed, snapshot_id and version can be asked for',
      });
    if (job_seed !== undefined) return this.forJob(actor, job_seed, key, identity);
    if (snapshot_id !== undefined) return past(await this.atSnapshot(key, snapshot_id));
    if (version !== undefined) {
      await this.upToDate(key);
      return past(await this.queries.getAtRevision(key, version));
    }
    return this.current(key);
  }

  /** The latest fact: whatever the key's stream held when this was asked is seen (SPEC S6). */
  private async current(key: string): Promise<Found> {
    const [row, stale] = await Promise.all([this.queries.get(key), this.lags(key)]);
    if (stale === 'unknown') return { fact: row.fact, stale: true, position: undefined };
    if (stale === undefined || row.revision >= stale.number) return past(row.fact);
    await this.readModels.reach(stale.position, ['sem']);
    return past((await this.queries.get(key)).fact);
  }

  private async upToDate(key: string): Promise<void> {
    const last = await this.lags(key);
    if (last !== undefined && last !== 'unknown')
      await this.readModels.reach(last.position, ['sem']);
  }

  /** The last event of the key's stream: one event read backwards. */
  private lags(key: string) {
    return this.eventStore.lastOf(semStream(key)).catch((cause: unknown) => {
      if (cause instanceof EventStoreUnavailable) return 'unknown' as const;
      throw cause;
    });
  }

  private async atSnapshot(key: string, snapshotId: string): Promise<Fact | undefined> {
    const { eventCount } = await this.snapshots.require(snapshotId);
    return this.queries.getAtCount(key, eventCount);
  }

  /** At the job's snapshot, and recorded in the job as what it decided on (SPEC J10). */
  private async forJob(
    actor: Actor,
    seed: string,
    key: string,
    identity: RequestIdentity,
  ): Promise<Found> {
    await this.access.toUse(actor, seed);
    const { state } = await this.jobs.load(jobStream(seed));
    const count = state.started?.snapshots.sem_event_count ?? 0;
    const fact = await this.queries.getAtCount(key, count);
    const read = { op: 'memory_read', kind: 'sem_get', ids: [key] } as const;
    const { position } = await this.jobs.execute(jobStream(seed), [read], identity);
    return { fact, stale: false, position };
  }
}

const past = (fact: Fact | undefined): Found => ({ fact, stale: false, position: undefined });
