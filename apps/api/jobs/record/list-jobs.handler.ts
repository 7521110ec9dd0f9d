import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ownedBy, readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { JobQueries } from '#projections/jobs/queries.js';
import type { JobsQuery } from './dto/job-record-query.dto.js';
import type { JobsPageDto } from './dto/job-record.dto.js';

const DEFAULT_PAGE = 50;

export class ListJobs extends Query<JobsPageDto> {
  constructor(
    readonly actor: Actor,
    readonly filter: JobsQuery,
  ) {
    super();
  }
}

/** Lists jobs, newest first. Agents and users get only their own jobs. */
@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(private readonly jobs: JobQueries) {}

  async execute({ actor, filter }: ListJobs): Promise<JobsPageDto> {
    const { status, session_id, owner, cursor, limit = DEFAULT_PAGE } = filter;
    const jobs = await this.jobs.list({
      ...(status === undefined ? {} : { status }),
      ...(session_id === undefined ? {} : { sessionId: session_id }),
      ...(owner === undefined ? {} : { ownerSub: owner }),
      ...(readsEveryOwner(actor) ? {} : { owner: ownedBy(actor) }),
      ...(cursor === undefined ? {} : { before: cursor }),
      limit: limit + 1,
    });
    const page = jobs.slice(0, limit);
    return {
      jobs: page,
      next_cursor: jobs.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
  }
}
