import { Controller, Post, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { AskQuery } from './ask-query.js';
import { RouteQuery } from './route-query.js';
import { ListReviews } from './list-reviews.js';

@ApiTags('queries')
@Controller('v1/queries')
export class QueriesController extends RequestController {
  @Post()
  ask(@Request() query: AskQuery) {
    return this.commands.execute(query);
  }
}

@ApiTags('queries')
@Controller('v1/route')
export class RouteController extends RequestController {
  @Post()
  route(@Request() query: RouteQuery) {
    return this.commands.execute(query);
  }
}

@ApiTags('queries')
@Controller('v1/reviews')
export class ReviewsController extends RequestController {
  @Get()
  list(@Request() asked: ListReviews) {
    return this.queries.execute(asked);
  }
}
