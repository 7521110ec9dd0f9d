import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../platform/auth/roles.js';
import { Answers } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import {
  AccessesQuery,
  AdminAccessesPageDto,
  ConsentsPageDto,
  ConsentsQuery,
  RefusalsQuery,
  RefusedCommandsPageDto,
} from './dto/oversight.dto.js';
import { ListAllConsents } from './list-all-consents.handler.js';
import { ListAccesses, ListRefusals } from './list-audit-entries.handler.js';

@ApiTags('oversight')
@Controller('v1/oversight')
export class OversightController {
  constructor(private readonly queries: QueryBus) {}

  @Get('accesses')
  @ReadsFrom('oversight')
  @Roles({ all: ['admin', 'auditor', 'council'], of: 'audit' })
  @Answers(200, AdminAccessesPageDto)
  @ApiOperation({ summary: 'Who read which personal data unredacted, newest first (SPEC G7)' })
  accesses(@Query() filter: AccessesQuery) {
    return this.queries.execute(new ListAccesses(filter));
  }

  @Get('refusals')
  @ReadsFrom('oversight')
  @Roles({ all: ['admin', 'auditor'], of: 'audit' })
  @Answers(200, RefusedCommandsPageDto)
  @ApiOperation({ summary: 'Refused commands, newest first (SPEC I1)' })
  refusals(@Query() filter: RefusalsQuery) {
    return this.queries.execute(new ListRefusals(filter));
  }

  @Get('consents')
  @ReadsFrom('oversight')
  @Roles({ all: ['admin', 'auditor', 'council'], of: 'self' })
  @Answers(200, ConsentsPageDto)
  @ApiOperation({ summary: 'The consents of all users, newest first (SPEC P4)' })
  consents(@Query() filter: ConsentsQuery) {
    return this.queries.execute(new ListAllConsents(filter));
  }
}
