import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../platform/auth/roles.js';
import { Answers } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ReviewsPageDto } from './dto/query-answer.dto.js';
import { ReviewsQuery } from './dto/reviews.dto.js';
import { ListReviews } from './list-reviews.handler.js';

@ApiTags('queries')
@Controller('v1/reviews')
export class ReviewsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsFrom('reflective_logs')
  @Roles({ all: ['council', 'admin', 'auditor'], of: 'log' })
  @Answers(200, ReviewsPageDto)
  @ApiOperation({ summary: 'Answers that wait for a human review, oldest first (SPEC A3)' })
  list(@Query() page: ReviewsQuery) {
    return this.queries.execute(new ListReviews(page));
  }
}
