import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { UnredactedQuery } from '../privacy/dto/unredacted.dto.js';
import { ReadByParameter, type ReadContext } from '../privacy/read-context.decorator.js';
import { EpisodeViewDto, FoundEpisodesDto } from './dto/episode.dto.js';
import { EpisodePath, EpisodesQueryDto } from './dto/episodes.dto.js';
import { GetEpisode } from './get-episode.handler.js';
import { QueryEpisodes } from './query-episodes.handler.js';

@ApiTags('episodes')
@Controller('v1/episodes')
export class EpisodesController {
  constructor(private readonly queries: QueryBus) {}

  @Post('query')
  @ReadsFrom('episodes', 'sem', 'search')
  @Roles(readersOf('user'))
  @Answers(200, FoundEpisodesDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({
    summary: 'Episodes that match some words, best first, ranked without a model (SPEC E2)',
  })
  async query(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: EpisodesQueryDto,
  ) {
    const { results, position } = await this.queries.execute(
      new QueryEpisodes(actor, body, identity),
    );
    return Answer.written({ results }, position);
  }

  @Get(':id')
  @ReadsFrom('episodes')
  @Roles(readersOf('user'))
  @Answers(200, EpisodeViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'One episode; with its payload for its owner, auditors, council and admins (SPEC E4)',
  })
  get(
    @Caller() actor: Actor,
    @ReadByParameter() context: ReadContext,
    @Param() { id }: EpisodePath,
    @Query() { unredacted }: UnredactedQuery,
  ) {
    return this.queries.execute(new GetEpisode(actor, id, unredacted, context));
  }
}
