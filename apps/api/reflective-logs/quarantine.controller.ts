import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../platform/auth/roles.js';
import { Answers } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { QuarantinePageDto } from './dto/log-view.dto.js';
import { QuarantineQuery } from './dto/reflective-log.dto.js';
import { ListQuarantine } from './list-quarantine.handler.js';

@ApiTags('reflective-logs')
@Controller('v1/quarantine')
export class QuarantineController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsFrom('reflective_logs')
  @Roles({ all: ['admin', 'auditor'], of: 'log' })
  @Answers(200, QuarantinePageDto)
  @ApiOperation({ summary: 'Quarantined logs and rows, after the privacy gate (SPEC L5)' })
  list(@Query() page: QuarantineQuery) {
    return this.queries.execute(new ListQuarantine(page));
  }
}
