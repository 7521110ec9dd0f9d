import { QueryHandler } from '@nestjs/cqrs';
import { jobView } from '#domain/job/view.js';
import { jobStream } from '#domain/stream-names.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { readersOf } from '../platform/auth/roles.js';
import { EventNumber, SeedText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { JobDto } from './job-view.js';
import { JobAccess } from '../ownership/job-access.js';
import { ShownJob } from './shown-job.js';

@Describes({
  summary: 'A job’s current state, or its state at a version',
  roles: readersOf('job'),
  answers: [200, JobDto],
  fails: ['NOT_FOUND'],
})
export class GetJob extends ReadRequest<JobDto> {
  @SeedText() seed!: string;

  @EventNumber({
    optional: true,
    description: 'The state after that event; default: the current state.',
  })
  version?: number;

  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(GetJob)
export class GetJobHandler {
  constructor(
    private readonly access: JobAccess,
    private readonly shown: ShownJob,
    private readonly unredacted: UnredactedReads,
  ) {}

  async execute({ actor, seed, version, unredacted, context }: GetJob) {
    const { state } = await this.access.read(actor, seed, version);
    const read = { stream: jobStream(seed), version };
    const isAllowed = await this.unredacted.allow(actor, unredacted, read, context);
    return this.shown.of(
      jobView(state),
      () => isAllowed || this.access.seesPersonalData(actor, seed),
    );
  }
}
