import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { AskQuery } from './ask-query.js';

@ApiTags('queries')
@Controller('v1/queries')
export class QueriesController extends RequestController {
  @Post()
  ask(@Request() query: AskQuery) {
    return this.commands.execute(query);
  }
}
