import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import { JobAccess } from '../../ownership/job-access.js';
import { StreamRecords } from '../../replay/stream-records.js';

export class ExportJob extends Query<AsyncIterable<string>> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
  ) {
    super();
  }
}

/** Streams the lines of a job's signed bundle, without line feeds (SPEC X4). */
@QueryHandler(ExportJob)
export class ExportJobHandler implements IQueryHandler<ExportJob> {
  constructor(
    private readonly access: JobAccess,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, seed }: ExportJob): Promise<AsyncIterable<string>> {
    await this.access.requireRead(actor, seed);
    return this.records.bundle(jobStream(seed));
  }
}
