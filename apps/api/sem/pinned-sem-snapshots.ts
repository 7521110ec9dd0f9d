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

  /** A caller may request a snapshot before the read model shows the job that pinned it. */
  private async justPinned(id: string): Promise<PinnedSnapshot | undefined> {
    return (await this.logEnd.isReached('jobs')) ? this.find(id) : undefined;
  }
}
