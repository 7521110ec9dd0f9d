import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayMode, ReplayReport } from '#domain/replay/stream-replay.js';
import { JobAccess } from '../../ownership/job-access.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { StreamRecords } from '../../replay/stream-records.js';

export class ReplayJob extends Query<ReplayReport> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly mode: ReplayMode,
  ) {
    super();
  }
}

/**
 * Replays a job: folds its stream and decides its commands again (SPEC X1). With `strict`, an incomplete
 * or broken stream is refused (SPEC X2).
 */
@QueryHandler(ReplayJob)
export class ReplayJobHandler implements IQueryHandler<ReplayJob> {
  constructor(
    private readonly access: JobAccess,
    private readonly records: StreamRecords,
    private readonly snapshots: PinnedSnapshotCheck,
  ) {}

  async execute({ actor, seed, mode }: ReplayJob): Promise<ReplayReport> {
    await this.access.requireRead(actor, seed);
    const stream = jobStream(seed);
    const report = await this.records.replay(stream, mode);
    if (mode === 'strict') {
      const { started } = (await this.access.read(actor, seed)).state;
      if (started !== undefined) await this.snapshots.require(stream, started.snapshots);
    }
    return report;
  }
}
