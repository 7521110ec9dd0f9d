import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { SAMPLE_SEEDS } from '#domain/job/sample-seeds.js';
import { ownedBy, readsEveryOwner } from '#domain/ownership/access.js';
import { JobQueries } from '#projections/jobs/queries.js';
import { JobsPageDto } from './job-record-view.js';
import { readersOf } from '../../platform/auth/roles.js';
import { OneOf, PositionText, SeedText, Text, Whole } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { pageOf } from '../../platform/page.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'Jobs, newest first; agents get their own jobs',
  roles: readersOf('job'),
  answers: [200, JobsPageDto],
  reads: ['jobs'],
})
export class ListJobs extends ReadRequest<JobsPageDto> {
  @OneOf(['running', 'ended'], { optional: true }) status?: 'running' | 'ended';
  @SeedText({ optional: true }) session_id?: string;

  @Text({ optional: true, min: 1, max: 256, description: 'The exact `sub` of the owner.' })
  owner?: string;

  @OneOf(['false'], {
    optional: true,
    description: `Leaves out the jobs of \`mace sample\`, whose seeds begin with \`${SAMPLE_SEEDS}\`.`,
  })
  sample?: 'false';

  @PositionText({ optional: true }) cursor?: string;
  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(private readonly jobs: JobQueries) {}

  async execute(filter: ListJobs): Promise<JobsPageDto> {
    const { actor, status, session_id, owner, sample, cursor, limit = DEFAULT_PAGE } = filter;
    const found = await this.jobs.list({
      ...(status === undefined ? {} : { status }),
      ...(session_id === undefined ? {} : { sessionId: session_id }),
      ...(owner === undefined ? {} : { ownerSub: owner }),
      ...(readsEveryOwner(actor) ? {} : { owner: ownedBy(actor) }),
      sample: sample === undefined,
      ...(cursor === undefined ? {} : { before: cursor }),
      limit: limit + 1,
    });
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    return { jobs: rows, next_cursor };
  }
}
