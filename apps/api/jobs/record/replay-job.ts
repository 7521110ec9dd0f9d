import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import { jobStream } from '#domain/stream-names.js';
import { JobAccess } from '../../ownership/job-access.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { StreamRecords } from '../../replay/stream-records.js';
import { readersOf } from '../../platform/auth/roles.js';
import { OneOf, SeedText } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { ReplayReportDto } from '../../replay/record-view.js';

@Describes({
  summary: 'Replay the job from its inputs and compare every event',
  roles: readersOf('job'),
  answers: [200, ReplayReportDto],
  fails: ['NOT_FOUND', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'],
})
export class ReplayJob extends ReadRequest<ReplayReportDto> {
  @SeedText() seed!: string;
  @OneOf(REPLAY_MODES, { optional: true }) mode?: ReplayMode;
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

  async execute({ actor, seed, mode = 'audit' }: ReplayJob): Promise<ReplayReportDto> {
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
