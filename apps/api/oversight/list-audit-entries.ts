import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { CommandRefused } from '#domain/audit/events.js';
import { OversightQueries } from '#projections/oversight/queries.js';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { At, Text, UserIdText } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import { entryOf, NewestFirst } from './audit-page.js';
import { AdminAccessesPageDto, RefusedCommandsPageDto } from './oversight-view.js';
import { UnredactedReadsList } from './unredacted-reads-list.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;
export const ACCESS_READERS = { all: ['admin', 'auditor', 'council'], of: 'audit' } as const;

@Describes({
  summary: 'Who read which personal data unredacted, newest first',
  roles: ACCESS_READERS,
  answers: [200, AdminAccessesPageDto],
  reads: ['oversight', 'jobs', 'action_requests'],
})
export class ListAccesses extends NewestFirst<AdminAccessesPageDto> {
  @Text({ optional: true, min: 1, max: 256, description: 'The caller who read.' })
  sub?: string;

  @Text({ optional: true, min: 1, max: 512, description: 'The stream that was read.' })
  stream?: string;

  @UserIdText({
    optional: true,
    description:
      'The person whose data was read: facts, memories, store, and the newest 1,000 jobs and requests.',
  })
  user_id?: string;

  @At() at?: string;
}

@QueryHandler(ListAccesses)
export class ListAccessesHandler implements IQueryHandler<ListAccesses> {
  constructor(
    private readonly reads: UnredactedReadsList,
    private readonly moments: Moments,
  ) {}

  async execute({ at, ...asked }: ListAccesses): Promise<Answer<AdminAccessesPageDto>> {
    const asOf = await this.moments.positionAt(at, 'oversight', 'jobs', 'action_requests');
    return this.reads.page(asked, asOf);
  }
}

@Describes({
  summary: 'Refused commands, newest first',
  roles: { all: ['admin', 'auditor'], of: 'audit' },
  answers: [200, RefusedCommandsPageDto],
  reads: ['oversight'],
})
export class ListRefusals extends NewestFirst<RefusedCommandsPageDto> {
  @Text({ optional: true, min: 1, max: 256, description: 'The caller who was refused.' })
  sub?: string;
}

@QueryHandler(ListRefusals)
export class ListRefusalsHandler implements IQueryHandler<ListRefusals> {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute(asked: ListRefusals): Promise<Answer<RefusedCommandsPageDto>> {
    const isCurrent = await this.logEnd.isReached('oversight');
    const { sub, cursor: before, limit = DEFAULT_PAGE } = asked;
    const filter = { type: 'command_refused', sub, before, limit: limit + 1 } as const;
    const found = await this.oversight.entries(filter);
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    const refusals = rows.map((row) => entryOf<CommandRefused>(row));
    return Answer.read({ refusals, next_cursor }, isCurrent);
  }
}
