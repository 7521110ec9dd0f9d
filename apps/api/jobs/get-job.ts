import { QueryHandler } from '@nestjs/cqrs';
import { jobView } from '#domain/job/view.js';
import { jobStream } from '#domain/stream-names.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { Moments, requireOne } from '../moments/moments.js';
import { readersOf } from '../platform/auth/roles.js';
import { At, EventNumber, SeedText } from '../platform/http/fields.js';
import { Answer } from '../platform/http/answer.js';
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
export class GetJob extends ReadRequest<Answer<JobDto>> {
  @SeedText() seed!: string;

  @EventNumber({
    optional: true,
    description: 'The state after that event; default: the current state.',
  })
  version?: number;

  @At('version') at?: string;

  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(GetJob)
export class GetJobHandler {
  constructor(
    private readonly access: JobAccess,
    private readonly shown: ShownJob,
    private readonly unredacted: UnredactedReads,
    private readonly moments: Moments,
  ) {}

  async execute({ actor, seed, version, at, unredacted, context }: GetJob) {
    requireOne({ version, at });
    const position = await this.moments.positionAt(at);
    const { state, ...loaded } = await this.access.read(actor, seed, { version, position });
    const read = { stream: jobStream(seed), version: at === undefined ? version : loaded.version };
    const isAllowed = await this.unredacted.allow(actor, unredacted, read, context);
    const shown = await this.shown.of(
      jobView(state),
      () => isAllowed || this.access.seesPersonalData(actor, seed),
    );
    return Answer.asOf(shown, position);
  }
}
