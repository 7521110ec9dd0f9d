import { Injectable } from '@nestjs/common';
import { episodicSnapshotId } from '#domain/episode/chain.js';
import type { JobSnapshots } from '#domain/job/events.js';
import { snapshotId } from '#domain/sem/snapshot.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { LogEnd } from '../platform/log-end.js';

export type ReadSnapshots = Omit<JobSnapshots, 'brainstate_snapshot_id'>;

/** Reads the current snapshots of facts and episodes, which a job pins at its start (SPEC J1). */
@Injectable()
export class PinnedSnapshots {
  constructor(
    private readonly logEnd: LogEnd,
    private readonly facts: SemSnapshots,
    private readonly episodes: EpisodeQueries,
  ) {}

  /**
   * Returns the snapshots once the read models show everything that the log holds now. Fails as `LogEnd`
   * does.
   */
  atLogEnd(): Promise<ReadSnapshots> {
    return this.logEnd.readUpToDate(['sem', 'episodes'], () => this.current());
  }

  private async current(): Promise<ReadSnapshots> {
    const [sem, episodes] = await Promise.all([
      this.facts.current(),
      this.episodes.currentSnapshot(),
    ]);
    return {
      sem_snapshot_id: snapshotId(sem.hash),
      sem_snapshot_hash: sem.hash,
      sem_event_count: sem.count,
      episodic_snapshot_id: episodicSnapshotId(episodes.hash),
      episodic_count: episodes.count,
    };
  }
}
