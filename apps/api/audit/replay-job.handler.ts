import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { jobDecider } from '#domain/job/decider.js';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import { type ReplayMode, type ReplayReport, replayStream } from '#domain/replay/stream-replay.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { JobAccess } from '../jobs/job-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';

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
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
    private readonly snapshots: PinnedSnapshotCheck,
  ) {}

  async execute({ actor, seed, mode }: ReplayJob): Promise<ReplayReport> {
    await this.access.requireRead(actor, seed);
    const stream = jobStream(seed);
    const events = readRecorded(this.eventStore, stream);
    const report = await replayStream(jobDecider, stream, events, mode);
    if (mode === 'strict') await this.requireWhole(actor, seed, report);
    return report;
  }

  private async requireWhole(actor: Actor, seed: string, report: ReplayReport): Promise<void> {
    const { code, divergence, stream } = report;
    const number = divergence?.number ?? 0;
    if (code === 'INTEGRITY_FAILURE')
      throw new Refusal(code, { stream, number, reason: 'the hash chain is broken' }, { report });
    if (code === 'REPLAY_DIVERGENCE') throw new Refusal(code, { stream, number }, { report });
    const { started } = (await this.access.read(actor, seed)).state;
    if (started !== undefined) await this.snapshots.require(stream, started.snapshots);
  }
}
