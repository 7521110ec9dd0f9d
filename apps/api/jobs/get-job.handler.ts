import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jobView } from '#domain/job/view.js';
import type { Actor } from '#domain/recorded-event.js';
import { jobStream } from '#domain/job/state.js';
import type { ReadContext } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import type { JobVersionQuery } from './dto/job-path.dto.js';
import { JobAccess } from '../ownership/job-access.js';
import { ShownJob } from './shown-job.js';

export class GetJob extends Query<Awaited<ReturnType<ShownJob['of']>>> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly at: JobVersionQuery,
    readonly context: ReadContext,
  ) {
    super();
  }
}

@QueryHandler(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(
    private readonly access: JobAccess,
    private readonly shown: ShownJob,
    private readonly unredacted: UnredactedReads,
  ) {}

  async execute({ actor, seed, at: { version, unredacted }, context }: GetJob) {
    const { state } = await this.access.read(actor, seed, version);
    const read = { stream: jobStream(seed), version };
    const isAllowed = await this.unredacted.allow(actor, unredacted, read, context);
    return this.shown.of(
      jobView(state),
      () => isAllowed || this.access.seesPersonalData(actor, seed),
    );
  }
}
