import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { SAMPLE_SEEDS } from '#domain/job/sample-seeds.js';
import { ownedBy, readsEveryOwner } from '#domain/ownership/access.js';
import { jobStream } from '#domain/stream-names.js';
import { type JobFilter, JobQueries, type JobRow } from '#projections/jobs/queries.js';
import { JOB } from '#projections/jobs/tables.js';
import { JobsPageDto } from './job-record-view.js';
import { readersOf } from '../../platform/auth/roles.js';
import { Moments } from '../../moments/moments.js';
import { PastRows } from '../../moments/past-rows.js';
import { Answer } from '../../platform/http/answer.js';
import {
  At,
  OneOf,
  PositionText,
  SeedText,
  Text,
  UserIdText,
  Whole,
} from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { pageOf } from '../../platform/page.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'Jobs, newest first; agents get their own jobs',
  roles: readersOf('job'),
  answers: [200, JobsPageDto],
  reads: ['jobs'],
})
export class ListJobs extends ReadRequest<Answer<JobsPageDto>> {
  @OneOf(['running', 'ended'], { optional: true }) status?: 'running' | 'ended';
  @SeedText({ optional: true }) session_id?: string;

  @Text({ optional: true, min: 1, max: 256, description: 'The exact `sub` of the owner.' })
  owner?: string;

  @UserIdText({ optional: true, description: 'The user for whom the jobs ran.' })
  user_id?: string;

  @Text({ optional: true, min: 1, max: 256, description: 'The seeds begin with this.' })
  seed_prefix?: string;

  @OneOf(['false'], {
    optional: true,
    description: `Leaves out the jobs of \`mace sample\`, whose seeds begin with \`${SAMPLE_SEEDS}\`.`,
  })
  sample?: 'false';

  @At() at?: string;
  @PositionText({ optional: true }) cursor?: string;
  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(
    private readonly jobs: JobQueries,
    private readonly moments: Moments,
    private readonly past: PastRows,
  ) {}

  async execute(asked: ListJobs): Promise<Answer<JobsPageDto>> {
    const { actor, status, session_id, owner, user_id, seed_prefix, sample, cursor } = asked;
    const { limit = DEFAULT_PAGE } = asked;
    const filter: Omit<JobFilter, 'limit'> = {
      ...(session_id === undefined ? {} : { sessionId: session_id }),
      ...(owner === undefined ? {} : { ownerSub: owner }),
      ...(user_id === undefined ? {} : { userId: foldUserId(user_id) }),
      ...(seed_prefix === undefined ? {} : { seedPrefix: seed_prefix }),
      ...(readsEveryOwner(actor) ? {} : { owner: ownedBy(actor) }),
      sample: sample === undefined,
    };
    const position = await this.moments.positionAt(asked.at, 'jobs');
    if (position !== undefined) {
      const { rows, next } = await this.listAt(asked, filter, position);
      const view = pageView({ rows, next_cursor: next?.position ?? null });
      return Answer.asOf(view, position);
    }
    const found = await this.jobs.list({
      ...filter,
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { before: cursor }),
      limit: limit + 1,
    });
    return Answer.asOf(pageView(pageOf(found, limit, (row) => row.position)), undefined);
  }

  /** Lists the jobs as they were at a position. Only their status and what happened in them have changed since. */
  private listAt(
    { status, cursor, limit = DEFAULT_PAGE }: ListJobs,
    filter: Omit<JobFilter, 'limit'>,
    position: bigint,
  ) {
    return this.past.page<JobRow>({
      ...{ table: JOB, position, limit },
      rows: (last, count) => {
        const before = last?.position ?? cursor;
        return this.jobs.list({
          ...{ ...filter, limit: count, startedBy: position.toString() },
          ...(status === undefined ? {} : { status }),
          ...(before === undefined ? {} : { before }),
        });
      },
      changedAt: ({ last_position }) => last_position,
      made: (job: JobRow) => job,
      streamOf: ({ job_seed }) => jobStream(job_seed),
      isAsked: (job) => status === undefined || job.status === status,
    });
  }
}

const pageView = ({
  rows,
  next_cursor,
}: {
  readonly rows: readonly JobRow[];
  readonly next_cursor: string | null;
}): JobsPageDto => ({ jobs: rows.map(({ last_position: _, ...job }) => job), next_cursor });
