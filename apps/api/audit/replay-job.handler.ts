import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayMode, ReplayReport } from '#domain/replay/stream-replay.js';
import { JobAccess } from '../jobs/job-access.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { ReplayRecords } from './replay-records.js';
import { requireIdentical, StreamRecords } from './stream-records.js';

export class ReplayJob extends Query<ReplayReport> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly mode: ReplayMode,
    readonly traceId: string,
  ) {
    super();
  }
}

/**
 * Replays a job: folds its stream and decides its commands again (SPEC X1). With `strict`, an incomplete
 * or broken stream is refused (SPEC X2). Who replayed it, and how it ended, is recorded before the answer.
 */
@QueryHandler(ReplayJob)
export class ReplayJobHandler implements IQueryHandler<ReplayJob> {
  constructor(
    private readonly access: JobAccess,
    private readonly streams: StreamRecords,
    private readonly snapshots: PinnedSnapshotCheck,
    private readonly records: ReplayRecords,
  ) {}

  async execute({ actor, seed, mode, traceId }: ReplayJob): Promise<ReplayReport> {
    await this.access.requireRead(actor, seed);
    const stream = jobStream(seed);
    const report = await this.streams.report(stream, mode);
    const refusal = mode === 'audit' ? undefined : await this.refusalOf(actor, seed, report);
    const code = report.code ?? (refusal === undefined ? null : 'INTEGRITY_FAILURE');
    await this.records.record(actor, { report, code }, traceId);
    if (refusal !== undefined) throw refusal;
    return report;
  }

  /** Returns why a strict replay is refused; undefined if it is not. */
  private async refusalOf(
    actor: Actor,
    seed: string,
    report: ReplayReport,
  ): Promise<Refusal | undefined> {
    try {
      requireIdentical(report);
      const { started } = (await this.access.read(actor, seed)).state;
      if (started !== undefined) await this.snapshots.require(report.stream, started.snapshots);
      return undefined;
    } catch (cause) {
      if (cause instanceof Refusal) return cause;
      throw cause;
    }
  }
}
