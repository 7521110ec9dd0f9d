import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { JobReplayed } from '#domain/audit/events.js';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import { OversightQueries } from '#projections/oversight/queries.js';
import { JobAccess } from '../jobs/job-access.js';
import { entryOf, pageOf } from '../oversight/audit-page.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type { JobReplaysQuery } from './dto/audit.dto.js';
import type { JobReplaysPageDto } from './dto/job-record.dto.js';

const DEFAULT_PAGE = 50;

export class ListReplays extends Query<Answer<JobReplaysPageDto>> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly page: JobReplaysQuery,
  ) {
    super();
  }
}

/** Lists who replayed a job and how it ended, for everybody who may replay it (SPEC X1). */
@QueryHandler(ListReplays)
export class ListReplaysHandler implements IQueryHandler<ListReplays> {
  constructor(
    private readonly access: JobAccess,
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ actor, seed, page }: ListReplays): Promise<Answer<JobReplaysPageDto>> {
    await this.access.requireRead(actor, seed);
    const isCurrent = await this.logEnd.isReached('oversight');
    const { cursor: before, limit = DEFAULT_PAGE } = page;
    const asked = {
      type: 'job_replayed',
      about: jobStream(seed),
      before,
      limit: limit + 1,
    } as const;
    const { rows, next_cursor } = pageOf(await this.oversight.entries(asked), limit);
    const replays = rows.map((row) => {
      const { stream: _, ...replay } = entryOf<JobReplayed>(row);
      return replay;
    });
    return Answer.read({ replays, next_cursor }, isCurrent);
  }
}
