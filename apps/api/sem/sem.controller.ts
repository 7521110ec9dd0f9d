import type { FactChanged } from '#domain/sem/decide.js';
import { type Executed, onlyAnswer } from '#event-store/aggregate-store.js';
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { joinKey } from '#domain/canonical-key/canonical-key.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsWithoutOwnWrites, ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ReadByParameter, type ReadContext } from '../privacy/read-context.decorator.js';
import { DeleteFact } from './delete-fact.handler.js';
import {
  DeleteFactQuery,
  FactPath,
  GetFactQuery,
  PutFactDto,
  SearchFactsQuery,
} from './dto/fact.dto.js';
import { FactHistoryDto, FactHistoryQuery } from './dto/fact-history.dto.js';
import { FactDto, FactsPageDto, FactWrittenDto } from './dto/fact-view.dto.js';
import { GetFact } from './get-fact.handler.js';
import { PutFact } from './put-fact.handler.js';
import { ReadFactHistory } from './read-fact-history.handler.js';
import { SearchFacts } from './search-facts.handler.js';

@ApiTags('sem')
@Controller('v1/sem')
export class SemController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ReadsFrom('sem')
  @Roles(readersOf('user'))
  @Answers(200, FactsPageDto)
  @ApiOperation({
    summary: 'The facts under a prefix that the caller may read, in pages (SPEC S1)',
  })
  search(@Caller() actor: Actor, @Query() search: SearchFactsQuery) {
    return this.queries.execute(new SearchFacts(actor, search));
  }

  @Get(':scope/:entity_type/:entity_id/:attribute')
  @ReadsWithoutOwnWrites('sem')
  @Roles(readersOf('user'))
  @Answers(200, FactDto)
  @Fails('SEM_NOT_FOUND', 'NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({
    summary: 'One fact by its exact key, current or at an earlier state (SPEC S1, S6, X3)',
  })
  get(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @ReadByParameter() context: ReadContext,
    @Param() path: FactPath,
    @Query() at: GetFactQuery,
  ) {
    return this.queries.execute(new GetFact(actor, joinKey(path), at, identity, context));
  }

  @Get(':scope/:entity_type/:entity_id/:attribute/history')
  @Roles(readersOf('user'))
  @Answers(200, FactHistoryDto)
  @Fails('SEM_NOT_FOUND')
  @ApiOperation({
    summary:
      'The events of a fact, newest first: who wrote what, when, and by which request (S3, X3)',
  })
  history(@Caller() actor: Actor, @Param() path: FactPath, @Query() page: FactHistoryQuery) {
    return this.queries.execute(new ReadFactHistory(actor, joinKey(path), page));
  }

  @Put(':scope/:entity_type/:entity_id/:attribute')
  @Roles({ own: ['agent', 'user'], of: 'self', all: ['admin'] })
  @Answers(200, FactWrittenDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Overwrite a fact; the latest timestamp wins (SPEC S2, S3)' })
  async put(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() path: FactPath,
    @Body() body: PutFactDto,
  ) {
    return changed(await this.commands.execute(new PutFact(actor, joinKey(path), body, identity)));
  }

  @Delete(':scope/:entity_type/:entity_id/:attribute')
  @Roles({ all: ['admin'] })
  @Answers(200, FactWrittenDto)
  @Fails('SEM_NOT_FOUND')
  @ApiOperation({ summary: 'Hide a fact; the deletion stays in the log (SPEC S5)' })
  async delete(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() path: FactPath,
    @Query() { timestamp }: DeleteFactQuery,
  ) {
    return changed(
      await this.commands.execute(new DeleteFact(actor, joinKey(path), timestamp, identity)),
    );
  }
}

const changed = (executed: Executed<unknown, FactChanged>) =>
  Answer.written({ ...onlyAnswer(executed), version: executed.version }, executed.position);
