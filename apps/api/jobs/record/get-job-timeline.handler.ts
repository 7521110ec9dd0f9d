import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import { JobAccess } from '../../ownership/job-access.js';
import type { JobTimelineDto } from './dto/job-record.dto.js';
import { JobTimelines } from './job-timelines.js';

export class GetJobTimeline extends Query<JobTimelineDto> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
  ) {
    super();
  }
}

/** Returns the shape of a job's stream: the type of each event, and where each tick begins. */
@QueryHandler(GetJobTimeline)
export class GetJobTimelineHandler implements IQueryHandler<GetJobTimeline> {
  constructor(
    private readonly access: JobAccess,
    private readonly timelines: JobTimelines,
  ) {}

  async execute({ actor, seed }: GetJobTimeline): Promise<JobTimelineDto> {
    await this.access.requireRead(actor, seed);
    const timeline = await this.timelines.of(seed);
    return {
      job_seed: seed,
      version: timeline.version,
      types: timeline.types,
      type_of: timeline.typeCodes,
      ticks: timeline.ticks(),
      broken_at: timeline.break?.number ?? null,
    };
  }
}
