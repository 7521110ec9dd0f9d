import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jobView } from '#domain/job/view.js';
import type { Actor } from '#domain/recorded-event.js';
import { JobAccess } from './job-access.js';
import { ShownJob } from './shown-job.js';

export class GetJob extends Query<Awaited<ReturnType<ShownJob['of']>>> {
  /**
   * @param version the event number at which the state is returned; undefined for the last event (SPEC
   * X3).
   */
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly version: number | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(
    private readonly access: JobAccess,
    private readonly shown: ShownJob,
  ) {}

  async execute({ actor, seed, version }: GetJob) {
    const { state } = await this.access.read(actor, seed, version);
    return this.shown.of(jobView(state), await this.access.seesPersonalData(actor, seed));
  }
}
