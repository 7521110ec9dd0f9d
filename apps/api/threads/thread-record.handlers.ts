import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayReport } from '#domain/replay/stream-replay.js';
import { StreamRecords } from '../replay/stream-records.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import type { ReplayThreadDto, ThreadRecordQuery } from './dto/thread.dto.js';
import { ThreadAccess } from './thread-access.js';

/** Finds the stream of a thread that exists. */
@Injectable()
export class RecordedThreads {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
  ) {}

  /**
   * Returns the stream of a thread. @throws Refusal NOT_FOUND, which does not repeat the id, because that may be a
   * person's name (SPEC P6), and PERMISSION_DENIED for another owner, unless the caller may read every owner's
   */
  async streamOf(
    actor: Actor,
    { thread_id, namespace = '', owner: named }: ThreadRecordQuery,
  ): Promise<string> {
    const { owner } = this.access.readable(actor, named);
    const stream = await this.access.streamOf(owner, thread_id, namespace);
    if ((await this.store.load(stream)).state.eventCount === 0)
      throw new Refusal('NOT_FOUND', { what: 'thread', id: stream });
    return stream;
  }
}

export class ExportThread extends Query<AsyncIterable<string>> {
  constructor(
    readonly actor: Actor,
    readonly asked: ThreadRecordQuery,
  ) {
    super();
  }
}

/** Streams the lines of a thread's signed bundle, without line feeds (SPEC X4). */
@QueryHandler(ExportThread)
export class ExportThreadHandler implements IQueryHandler<ExportThread> {
  constructor(
    private readonly threads: RecordedThreads,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, asked }: ExportThread): Promise<AsyncIterable<string>> {
    return this.records.bundle(await this.threads.streamOf(actor, asked));
  }
}

export class ReplayThread extends Query<ReplayReport> {
  constructor(
    readonly actor: Actor,
    readonly asked: ReplayThreadDto,
  ) {
    super();
  }
}

/** Replays a thread: folds its stream and decides its commands again (SPEC X1). */
@QueryHandler(ReplayThread)
export class ReplayThreadHandler implements IQueryHandler<ReplayThread> {
  constructor(
    private readonly threads: RecordedThreads,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, asked }: ReplayThread): Promise<ReplayReport> {
    const stream = await this.threads.streamOf(actor, asked);
    return this.records.replay(stream, asked.mode ?? 'audit');
  }
}
