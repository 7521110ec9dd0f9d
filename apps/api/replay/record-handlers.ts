import { Inject, type Provider, type StreamableFile, type Type } from '@nestjs/common';
import { type Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayMode } from '#domain/replay/stream-replay.js';
import { type ReplayReportDto, bundleFile } from './record-view.js';
import { StreamRecords } from './stream-records.js';

type Asked<Answer> = Query<Answer> & { readonly actor: Actor };

/** Finds the stream that a request names, if its caller may read it. */
interface RecordAccess<Named> {
  existing(actor: Actor, named: Named): Promise<string>;
}

/** The requests for the record of one kind of stream, and who finds the stream. */
interface RecordRequests<Export, Replay> {
  /** The name of the bundle's file, without its extension. */
  readonly file: string;
  readonly export: Type<Export>;
  readonly replay: Type<Replay>;
  readonly access: Type<RecordAccess<Export | Replay>>;
}

/**
 * Makes the handlers by which a stream is exported as its signed bundle (SPEC X4) and replayed: folded, and its
 * commands decided again (SPEC X1).
 */
export function recordHandlers<
  Export extends Asked<StreamableFile>,
  Replay extends Asked<ReplayReportDto> & { readonly mode?: ReplayMode },
>(requests: RecordRequests<Export, Replay>): Provider[] {
  @QueryHandler(requests.export)
  class ExportHandler {
    constructor(
      @Inject(requests.access) private readonly access: RecordAccess<Export>,
      private readonly records: StreamRecords,
    ) {}

    async execute(asked: Export): Promise<StreamableFile> {
      const stream = await this.access.existing(asked.actor, asked);
      return bundleFile(requests.file, await this.records.bundle(stream));
    }
  }

  @QueryHandler(requests.replay)
  class ReplayHandler {
    constructor(
      @Inject(requests.access) private readonly access: RecordAccess<Replay>,
      private readonly records: StreamRecords,
    ) {}

    async execute(asked: Replay): Promise<ReplayReportDto> {
      const stream = await this.access.existing(asked.actor, asked);
      return this.records.replay(stream, asked.mode ?? 'audit');
    }
  }

  return [ExportHandler, ReplayHandler];
}
