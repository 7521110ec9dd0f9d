import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CollisionQueries } from '#projections/collisions/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { CollisionViews } from './collision-views.js';
import type { CollisionsPageDto } from './dto/collision-view.dto.js';
import type { CollisionsQuery } from './dto/collision.dto.js';

const DEFAULT_PAGE = 50;

export class ListCollisions extends Query<Answer<CollisionsPageDto>> {
  constructor(readonly filter: CollisionsQuery) {
    super();
  }
}

/** Lists open or closed collisions of titles, oldest first (SPEC K4). */
@QueryHandler(ListCollisions)
export class ListCollisionsHandler implements IQueryHandler<ListCollisions> {
  constructor(
    private readonly collisions: CollisionQueries,
    private readonly views: CollisionViews,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ filter }: ListCollisions): Promise<Answer<CollisionsPageDto>> {
    const { status = 'open', cursor, limit = DEFAULT_PAGE } = filter;
    const isCurrent = await this.logEnd.isReached('collisions');
    const rows = await this.collisions.list(status, cursor, limit + 1);
    const page = rows.slice(0, limit);
    const answer = {
      collisions: await Promise.all(page.map((row) => this.views.of(row))),
      next_cursor: rows.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
    return Answer.read(answer, isCurrent);
  }
}
