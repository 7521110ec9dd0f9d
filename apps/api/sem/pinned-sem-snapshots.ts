import { Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import { JobQueries, type PinnedSnapshot } from '#projections/jobs/queries.js';
import { LogEnd } from '../platform/log-end.js';

/** Looks up pinned SEM snapshots by their ids (SPEC S8). */
@Injectable()
export class PinnedSemSnapshots {
  constructor(
    private readonly jobs: JobQueries,
    private readonly logEnd: LogEnd,
  ) {}

  /** Returns a pinned snapshot. @throws Refusal NOT_FOUND if no job has pinned it. */
  async require(id: string): Promise<PinnedSnapshot> {
    const pinned = (await this.find(id)) ?? (await this.justPinned(id));
    if (pinned === undefined) throw new Refusal('NOT_FOUND', { what: 'SEM snapshot', id });
    return pinned;
  }

  private find(id: string): Promise<PinnedSnapshot | undefined> {
    return this.jobs.pinnedSnapshot(id.slice('sem:'.length));
  }

  /**
   * Returns a snapshot that the read model does not show yet. This is necessary because a caller may ask
   * for a snapshot right after the job's start.
   */
  private async justPinned(id: string): Promise<PinnedSnapshot | undefined> {
    // Only the log's end shows that a snapshot does not exist.
    await this.logEnd.reach('jobs');
    return this.find(id);
  }
}
