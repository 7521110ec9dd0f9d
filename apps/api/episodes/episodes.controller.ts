import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import type { Episode } from '#projections/episodes/queries.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Answer } from '../platform/http/answer.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { EpisodePath, EpisodesQueryDto } from './dto/episodes.dto.js';
import { EpisodeAccess } from './episode-access.js';
import { QueryEpisodes } from './query-episodes.handler.js';

const view = (episode: Episode, withPayload: boolean) => ({
  episodic_id: episode.episodic_id,
  job_seed: episode.job_seed,
  source: episode.source,
  summary: episode.summary,
  evidence: episode.evidence,
  ...(withPayload ? { payload: episode.payload } : {}),
  created_seeded_ts: episode.created_seeded_ts,
  provenance: episode.provenance,
});

@ApiTags('episodes')
@Controller('v1/episodes')
export class EpisodesController {
  constructor(
    private readonly reads: QueryBus,
    private readonly access: EpisodeAccess,
  ) {}

  @Post('query')
  @ReadsFrom('episodes', 'sem')
  @HttpCode(200)
  @ApiOperation({ summary: 'The best matches of some words, ranked without a model (SPEC E2)' })
  async query(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: EpisodesQueryDto,
  ) {
    const { results, position } = await this.reads.execute(
      new QueryEpisodes(actor, body, identity),
    );
    return Answer.written({ results }, position);
  }

  @Get(':id')
  @ReadsFrom('episodes')
  @ApiOperation({
    summary: 'One episode; its payload only for its owner and those who judge (SPEC E4)',
  })
  async get(@Caller() actor: Actor, @Param() { id }: EpisodePath) {
    const episode = await this.access.find(actor, id);
    return view(episode, this.access.seesPayload(actor, episode));
  }
}
