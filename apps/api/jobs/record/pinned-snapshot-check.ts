import { Injectable } from '@nestjs/common';
import { episodicSnapshotId } from '#domain/episode/chain.js';
import type { JobSnapshots } from '#domain/job/events.js';
import { Refusal } from '#domain/errors/refusal.js';
import { snapshotHash, snapshotLine } from '#domain/sem/snapshot.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { SemQueries } from '#projections/sem/queries.js';

const PAGE = 5_000;

/** Checks that the snapshots which a job has read can still be restored, byte for byte (SPEC X2). */
@Injectable()
export class PinnedSnapshotCheck {
  constructor(
    private readonly facts: SemQueries,
    private readonly episodes: EpisodeQueries,
  ) {}

  /** @throws Refusal INTEGRITY_FAILURE if the read models can no longer restore a snapshot. */
  async require(stream: string, snapshots: JobSnapshots): Promise<void> {
    const broken = (reason: string) =>
      new Refusal('INTEGRITY_FAILURE', { stream, number: 0, reason });
    const chain = await this.episodes.hashAt(snapshots.episodic_count);
    if (chain === undefined || episodicSnapshotId(chain) !== snapshots.episodic_snapshot_id)
      throw broken('its episodic snapshot is missing');
    if ((await this.semHashAt(snapshots.sem_event_count)) !== snapshots.sem_snapshot_hash)
      throw broken('its SEM snapshot is missing');
  }

  private async semHashAt(count: number): Promise<string> {
    const lines: string[] = [];
    for (let after = ''; ;) {
      const facts = await this.facts.factsAtCount(count, after, PAGE);
      lines.push(...facts.map(({ key, held, timestamp }) => snapshotLine(key, held, timestamp)));
      const last = facts.at(-1);
      if (last === undefined || facts.length < PAGE) return snapshotHash(lines);
      after = last.key;
    }
  }
}
