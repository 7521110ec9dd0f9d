import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import { seedOfJobStream } from '#domain/stream-names.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { hashOf } from '#read-model/checkpoint.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { JOB_OWNER, READ, type StoredJobOwner, type StoredRead } from './tables.js';

type Read = Extract<JobEvent, { type: 'memory_read' }>;

/** Which jobs recorded a read of which fact, episode, item or note (SPEC J10). */
@Projector({
  name: 'reads',
  version: 2,
  tables: [READ, JOB_OWNER],
  reads: [jobDecider],
  types: ['memory_read'],
})
export class ReadsProjection implements EventProjector<Read> {
  async project(tx: ProjectionTransaction, reads: readonly Logged<Read>[]): Promise<void> {
    const owners = await this.ownersOf(tx, reads);
    await READ.insert(
      tx,
      reads.flatMap((event) => rowsOf(event, owners)),
    );
  }

  private async ownersOf(
    tx: ProjectionTransaction,
    reads: readonly LoggedEvent[],
  ): Promise<ReadonlyMap<string, StoredJobOwner>> {
    if (reads.length === 0) return new Map();
    const seeds = [...new Set(reads.map(({ stream }) => seedOfJobStream(stream)))];
    const rows = await JOB_OWNER.find(tx, 'job_seed = any($1::text[])', [seeds]);
    return new Map(rows.map((row) => [row.job_seed, row]));
  }
}

function rowsOf(event: Logged<Read>, owners: ReadonlyMap<string, StoredJobOwner>): StoredRead[] {
  const { data, stream, number, position, metadata } = event;
  const owner = owners.get(seedOfJobStream(stream));
  if (owner === undefined) throw new Error('a job records a read before its start');
  const { kind, tick, sem_snapshot_hash } = data;
  const { actor, trace_id, recorded_at } = metadata;
  return [...new Set(data.ids)].map((what) => ({
    ...{ what, position: position.toString(), ...owner, kind, tick, sem_snapshot_hash },
    ...{ actor, trace_id, recorded_at, stream, number, event_hash: hashOf(event) },
  }));
}
