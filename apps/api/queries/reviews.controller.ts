import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ListReviews } from './list-reviews.js';

@ApiTags('queries')
@Controller('v1/reviews')
export class ReviewsController extends RequestController {
  @Get()
  list(@Request() asked: ListReviews) {
    return this.queries.execute(asked);
  }
}
