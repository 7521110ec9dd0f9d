import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import { ReviewsQuery } from './dto/reviews.dto.js';

const DEFAULT_PAGE = 50;

@ApiTags('queries')
@Controller('v1/reviews')
export class ReviewsController {
  constructor(
    private readonly logs: ReflectiveLogQueries,
    private readonly logEnd: LogEnd,
  ) {}

  @Get()
  @ReadsFrom('reflective_logs')
  @Roles('council', 'admin', 'auditor')
  @ApiOperation({ summary: 'Answers that wait for a human review, oldest first (SPEC A3)' })
  async list(@Query() { cursor, limit = DEFAULT_PAGE }: ReviewsQuery) {
    const isCurrent = await this.logEnd.isReached('reflective_logs');
    const rows = await this.logs.openReviews(limit + 1, cursor);
    const page = rows.slice(0, limit);
    const answer = {
      reviews: page.map(({ cursor: _, ...review }) => review),
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
    };
    return isCurrent ? answer : Answer.stale(answer);
  }
}
