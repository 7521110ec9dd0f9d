import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Answer } from '../platform/http/answer.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsAsTheyAre, ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import { DeleteFact } from './delete-fact.handler.js';
import {
  DeleteFactQuery,
  FactPath,
  GetFactQuery,
  PutFactDto,
  SearchFactsQuery,
} from './dto/fact.dto.js';
import { FactPermissions } from './fact-permissions.js';
import { factView } from './fact-view.js';
import { GetFact } from './get-fact.handler.js';
import { PutFact } from './put-fact.handler.js';

const DEFAULT_PAGE = 100;
/** No key has it. */
const NO_ENTITY = '';

const keyOf = ({ scope, entity_type, entity_id, attribute }: FactPath): string =>
  `${scope}/${entity_type}/${entity_id}/${attribute}`;

@ApiTags('sem')
@Controller('v1/sem')
export class SemController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: QueryBus,
    private readonly queries: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly logEnd: LogEnd,
  ) {}

  @Get()
  @ReadsFrom('sem')
  @ApiOperation({ summary: 'The facts under a prefix that the caller may read, paged (SPEC S1)' })
  async search(@Caller() actor: Actor, @Query() query: SearchFactsQuery) {
    const limit = query.limit ?? DEFAULT_PAGE;
    const user = await this.permissions.listedUser(actor);
    const isCurrent = await this.logEnd.isReached('sem');
    const facts = await this.queries.search({
      prefix: query.prefix ?? '',
      after: query.cursor ?? '',
      limit: limit + 1,
      ...(user === undefined ? {} : { userEntityId: user ?? NO_ENTITY }),
    });
    const page = facts.slice(0, limit);
    const answer = {
      facts: page.map((fact) => ({ key: fact.key, ...factView(fact) })),
      next_cursor: facts.length > limit ? (page.at(-1)?.key ?? null) : null,
    };
    return isCurrent ? answer : Answer.stale(answer);
  }

  @Get(':scope/:entity_type/:entity_id/:attribute')
  @ReadsAsTheyAre('sem')
  @ApiOperation({ summary: 'One fact by its exact key, now or as it was (SPEC S1, S6, X3)' })
  async get(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() path: FactPath,
    @Query() at: GetFactQuery,
  ) {
    const { fact, stale, position } = await this.reads.execute(
      new GetFact(actor, keyOf(path), at, identity),
    );
    return stale ? Answer.stale(factView(fact)) : Answer.written(factView(fact), position);
  }

  @Put(':scope/:entity_type/:entity_id/:attribute')
  @ApiOperation({ summary: 'Overwrite a fact; the latest timestamp wins (SPEC S2, S3)' })
  async put(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() path: FactPath,
    @Body() body: PutFactDto,
  ) {
    const { results, version, position } = await this.commands.execute(
      new PutFact(actor, keyOf(path), body, identity),
    );
    return Answer.written({ ...(results[0] as object), version }, position);
  }

  @Delete(':scope/:entity_type/:entity_id/:attribute')
  @HttpCode(200)
  @ApiOperation({ summary: 'Hide a fact; the deletion stays in the log (SPEC S5)' })
  async delete(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() path: FactPath,
    @Query() { timestamp }: DeleteFactQuery,
  ) {
    const { results, version, position } = await this.commands.execute(
      new DeleteFact(actor, keyOf(path), timestamp, identity),
    );
    return Answer.written({ ...(results[0] as object), version }, position);
  }
}
