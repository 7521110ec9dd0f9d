import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { jobStream } from '#domain/stream-names.js';
import { JobAccess } from '../../ownership/job-access.js';
import { StreamRecords } from '../../replay/stream-records.js';
import { readersOf } from '../../platform/auth/roles.js';
import { SeedText } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import type { StreamableFile } from '@nestjs/common';
import { BUNDLE, bundleFile } from '../../replay/record-view.js';

@Describes({
  summary:
    'The job’s signed bundle as NDJSON; `mace verify` checks it offline, with the keys of /.well-known/jwks.json',
  roles: readersOf('job'),
  answers: BUNDLE,
  fails: ['NOT_FOUND'],
})
export class ExportJob extends ReadRequest<StreamableFile> {
  @SeedText() seed!: string;
}

@QueryHandler(ExportJob)
export class ExportJobHandler implements IQueryHandler<ExportJob> {
  constructor(
    private readonly access: JobAccess,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, seed }: ExportJob): Promise<StreamableFile> {
    await this.access.requireRead(actor, seed);
    const lines = await this.records.bundle(jobStream(seed));
    return bundleFile(seed.replaceAll(':', '_'), lines);
  }
}
