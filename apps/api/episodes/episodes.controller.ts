import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetEpisode } from './get-episode.js';
import { QueryEpisodes } from './query-episodes.js';

@ApiTags('episodes')
@Controller('v1/episodes')
export class EpisodesController extends RequestController {
  @Post('query')
  query(@Request() asked: QueryEpisodes) {
    return this.commands.execute(asked);
  }

  @Get(':id')
  get(@Request() asked: GetEpisode) {
    return this.queries.execute(asked);
  }
}
