import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { GetEpisode } from './get-episode.js';
import { QueryEpisodes } from './query-episodes.js';

@ApiTags('episodes')
@Controller('v1/episodes')
export class EpisodesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('query')
  query(@Request() asked: QueryEpisodes) {
    return this.commands.execute(asked);
  }

  @Get(':id')
  get(@Request() asked: GetEpisode) {
    return this.queries.execute(asked);
  }
}
