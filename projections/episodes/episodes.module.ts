import { Module } from '@nestjs/common';
import { EpisodesProjection } from './episodes.projection.js';
import { EpisodeQueries } from './queries.js';

@Module({ providers: [EpisodesProjection, EpisodeQueries], exports: [EpisodeQueries] })
export class EpisodesReadModelModule {}
