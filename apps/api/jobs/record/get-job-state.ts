import { QueryHandler } from '@nestjs/cqrs';
import { jobView } from '#domain/job/view.js';
import { JobAccess } from '../../ownership/job-access.js';
import { ShownJob } from '../shown-job.js';
import { JobTimelines } from './job-timelines.js';
import { readersOf } from '../../platform/auth/roles.js';
import { SeedText, Text } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { JobStateDto } from './job-record-view.js';

@Describes({
  summary: 'A job’s state after one of its events, also in a job of many events',
  roles: readersOf('job'),
  answers: [200, JobStateDto],
  fails: ['NOT_FOUND', 'INTEGRITY_FAILURE'],
})
export class GetJobState extends ReadRequest<JobStateDto> {
  @SeedText() seed!: string;

  /** A path has only texts. */
  @Text({ min: 1, max: 9, pattern: /^\d{1,9}$/, description: 'The number of an event, from 0.' })
  number!: string;
}

@QueryHandler(GetJobState)
export class GetJobStateHandler {
  constructor(
    private readonly access: JobAccess,
    private readonly timelines: JobTimelines,
    private readonly shown: ShownJob,
  ) {}

  async execute({ actor, seed, number }: GetJobState) {
    await this.access.requireRead(actor, seed);
    const state = await this.timelines.stateAt(seed, Number(number));
    const view = await this.shown.of(jobView(state), () =>
      this.access.seesPersonalData(actor, seed),
    );
    return { ...view, episodes: state.episode_counter, query: state.query ?? null };
  }
}
