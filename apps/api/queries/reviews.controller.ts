import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { ListReviews } from './list-reviews.js';

@ApiTags('queries')
@Controller('v1/reviews')
export class ReviewsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  list(@Request() asked: ListReviews) {
    return this.queries.execute(asked);
  }
}
