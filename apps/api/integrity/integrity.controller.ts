import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { ListFindings, ListRuns } from './list-verifications.js';
import { VerifyEventLog } from './verify-event-log.js';

@ApiTags('integrity')
@Controller('v1/integrity')
export class IntegrityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

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
