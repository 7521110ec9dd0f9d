import { Injectable } from '@nestjs/common';
import type { JobSnapshots } from '#domain/job/events.js';
import { snapshotId } from '#domain/sem/snapshot.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';

/** Reads the current snapshots of facts and episodes, which a job pins at its start (SPEC J1). */
@Injectable()
export class PinnedSnapshots {
  constructor(
    private readonly facts: SemSnapshots,
    private readonly episodes: EpisodeQueries,
  ) {}

  async current(): Promise<Omit<JobSnapshots, 'brainstate_snapshot_id'>> {
    const [sem, episodes] = await Promise.all([
      this.facts.current(),
      this.episodes.currentSnapshot(),
    ]);
    return {
      sem_snapshot_id: snapshotId(sem.hash),
      sem_snapshot_hash: sem.hash,
      sem_event_count: sem.count,
      episodic_snapshot_id: `episodes:${episodes.hash}`,
      episodic_count: episodes.count,
    };
  }
}
