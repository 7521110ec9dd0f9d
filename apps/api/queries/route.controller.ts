import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { RouteQuery } from './route-query.js';

@ApiTags('queries')
@Controller('v1/route')
export class RouteController extends RequestController {
  @Post()
  route(@Request() query: RouteQuery) {
    return this.commands.execute(query);
  }
}
