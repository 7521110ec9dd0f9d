import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ListFindings, ListRuns } from './list-verifications.js';
import { VerifyEventLog } from './verify-event-log.js';

@ApiTags('integrity')
@Controller('v1/integrity')
export class IntegrityController extends RequestController {
  @Post('verification')
  verify(@Request() asked: VerifyEventLog) {
    return this.commands.execute(asked);
  }

  @Get('findings')
  findings(@Request() asked: ListFindings) {
    return this.queries.execute(asked);
  }

  @Get('runs')
  runs(@Request() asked: ListRuns) {
    return this.queries.execute(asked);
  }
}
