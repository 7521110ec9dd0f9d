import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type { ReviewsPageDto } from './dto/query-answer.dto.js';
import type { ReviewsQuery } from './dto/reviews.dto.js';

const DEFAULT_PAGE = 50;

export class ListReviews extends Query<Answer<ReviewsPageDto>> {
  constructor(readonly page: ReviewsQuery) {
    super();
  }
}

/** Lists answers that wait for a human review, oldest first (SPEC A3). */
@QueryHandler(ListReviews)
export class ListReviewsHandler implements IQueryHandler<ListReviews> {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ page: { cursor, limit = DEFAULT_PAGE } }: ListReviews) {
    const isCurrent = await this.logEnd.isReached('reflective_logs');
    const rows = await this.logs.openReviews(limit + 1, cursor);
    const page = rows.slice(0, limit);
    const answer = {
      reviews: page.map(({ cursor: _, ...review }) => review),
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
    };
    return Answer.read(answer, isCurrent);
  }
}
