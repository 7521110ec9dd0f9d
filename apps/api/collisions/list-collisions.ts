import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CollisionQueries } from '#projections/collisions/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { CollisionViews, CollisionsPageDto } from './collision-view.js';
import { OneOf, PositionText, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;

const STATUSES = ['open', 'closed'] as const;

@Describes({
  summary: 'Titles that generate a key which another title owns',
  roles: { all: ['council', 'admin', 'auditor'] },
  answers: [200, CollisionsPageDto],
  reads: ['collisions'],
})
export class ListCollisions extends ReadRequest<Answer<CollisionsPageDto>> {
  @OneOf(STATUSES, { optional: true, description: '`open` by default.' })
  status?: (typeof STATUSES)[number];

  @PositionText({ optional: true, description: 'The next_cursor of the previous page.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

@QueryHandler(ListCollisions)
export class ListCollisionsHandler implements IQueryHandler<ListCollisions> {
  constructor(
    private readonly collisions: CollisionQueries,
    private readonly views: CollisionViews,
    private readonly logEnd: LogEnd,
  ) {}

  async execute(filter: ListCollisions): Promise<Answer<CollisionsPageDto>> {
    const { status = 'open', cursor, limit = DEFAULT_PAGE } = filter;
    const isCurrent = await this.logEnd.isReached('collisions');
    const found = await this.collisions.list(status, cursor, limit + 1);
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    const collisions = await Promise.all(rows.map((row) => this.views.of(row)));
    return Answer.read({ collisions, next_cursor }, isCurrent);
  }
}
