import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { JobAccess } from '../../ownership/job-access.js';
import { JobTimelineDto } from './job-record-view.js';
import { JobTimelines } from './job-timelines.js';
import { readersOf } from '../../platform/auth/roles.js';
import { SeedText } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';

@Describes({
  summary: 'The type of each of a job’s events, and where each tick begins',
  roles: readersOf('job'),
  answers: [200, JobTimelineDto],
  fails: ['NOT_FOUND'],
})
export class GetJobTimeline extends ReadRequest<JobTimelineDto> {
  @SeedText() seed!: string;
}

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
