import { Body, Controller, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { SearchResultDto } from './dto/found.dto.js';
import { SearchDto } from './dto/search.dto.js';
import { SearchMemory } from './search-memory.handler.js';

@ApiTags('search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly queries: QueryBus) {}

  @Post()
  @ReadsFrom('search')
  @Roles(readersOf('user'))
  @Answers(200, SearchResultDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({
    summary: 'Find across everything that the caller may read, best first (SPEC Q1)',
  })
  async search(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: SearchDto,
  ) {
    const { answer, position } = await this.queries.execute(
      new SearchMemory(actor, body, identity),
    );
    return Answer.written(answer, position);
  }
}
