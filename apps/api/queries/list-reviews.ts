import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { ReviewsPageDto } from './query-view.js';
import { PositionText, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'Answers that wait for a human review, oldest first',
  roles: { all: ['council', 'admin', 'auditor'], of: 'log' },
  answers: [200, ReviewsPageDto],
  reads: ['reflective_logs'],
})
export class ListReviews extends ReadRequest<Answer<ReviewsPageDto>> {
  @PositionText({ optional: true, description: 'The next_cursor of the previous page.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

@QueryHandler(ListReviews)
export class ListReviewsHandler implements IQueryHandler<ListReviews> {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ cursor, limit = DEFAULT_PAGE }: ListReviews) {
    const isCurrent = await this.logEnd.isReached('reflective_logs');
    const found = await this.logs.openReviews(limit + 1, cursor);
    const { rows, next_cursor } = pageOf(found, limit, (row) => row.cursor);
    const reviews = rows.map(({ cursor: _, ...review }) => review);
    return Answer.read({ reviews, next_cursor }, isCurrent);
  }
}
