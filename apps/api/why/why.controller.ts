import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { AdminAccessesPageDto } from '../oversight/dto/oversight.dto.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { WhyDto, WhyQuery, WhyReadsPageDto, WhyReadsQuery } from './dto/why.dto.js';
import { ExplainWhy } from './explain-why.handler.js';
import { ListAccessesTo } from './list-accesses.handler.js';
import { ListReads } from './list-reads.handler.js';

@ApiTags('why')
@Controller('v1/why')
export class WhyController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsFrom('episodes', 'jobs', 'memory_items')
  @Roles(readersOf('user'))
  @Answers(200, WhyDto)
  @Fails('NOT_FOUND', 'SEM_NOT_FOUND')
  @ApiOperation({
    summary: 'Where a fact, an episode, an item or a note came from: event, request, job, session',
  })
  why(@Caller() actor: Actor, @Query() asked: WhyQuery) {
    return this.queries.execute(new ExplainWhy(actor, asked));
  }

  @Get('reads')
  @ReadsFrom('reads', 'episodes', 'jobs', 'memory_items')
  @Roles(readersOf('user'))
  @Answers(200, WhyReadsPageDto)
  @Fails('NOT_FOUND', 'SEM_NOT_FOUND')
  @ApiOperation({ summary: 'The reads of it that jobs recorded, newest first (SPEC J10)' })
  reads(@Caller() actor: Actor, @Query() asked: WhyReadsQuery) {
    return this.queries.execute(new ListReads(actor, asked));
  }

  @Get('accesses')
  @ReadsFrom('oversight', 'episodes', 'jobs', 'memory_items')
  @Roles(readersOf('user'))
  @Answers(200, AdminAccessesPageDto)
  @Fails('NOT_FOUND', 'SEM_NOT_FOUND')
  @ApiOperation({ summary: 'The unredacted reads of its stream, newest first (SPEC G7)' })
  accesses(@Caller() actor: Actor, @Query() asked: WhyReadsQuery) {
    return this.queries.execute(new ListAccessesTo(actor, asked));
  }
}
