import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jobView } from '#domain/job/view.js';
import type { Actor } from '#domain/recorded-event.js';
import { JobAccess } from './job-access.js';

export class GetJob extends Query<ReturnType<typeof jobView>> {
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
  constructor(private readonly access: JobAccess) {}

  async execute({ actor, seed, version }: GetJob) {
    return jobView((await this.access.read(actor, seed, version)).state);
  }
}
