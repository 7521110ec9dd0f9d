import { Module } from '@nestjs/common';
import { EpisodeAccess } from './episode-access.js';
import { EpisodesController } from './episodes.controller.js';
import { EpisodeRelevance } from './episode-relevance.js';
import { GetEpisodeHandler } from './get-episode.js';
import { QueryEpisodesHandler } from './query-episodes.js';

@Module({
  controllers: [EpisodesController],
  providers: [EpisodeAccess, EpisodeRelevance, QueryEpisodesHandler, GetEpisodeHandler],
  exports: [EpisodeAccess],
})
export class EpisodesModule {}
