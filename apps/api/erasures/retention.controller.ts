import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../platform/auth/roles.js';
import { Answers } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { RetentionReportDto, RetentionQuery } from './dto/retention.dto.js';
import { GetRetention } from './get-retention.handler.js';

@ApiTags('privacy')
@Controller('v1/retention')
export class RetentionController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsFrom('sealed_values')
  @Roles({ all: ['admin', 'auditor'], of: 'self' })
  @Answers(200, RetentionReportDto)
  @ApiOperation({ summary: 'Whose personal data is kept, since when, and what is due (SPEC G6)' })
  get(@Query() page: RetentionQuery) {
    return this.queries.execute(new GetRetention(page));
  }
}
