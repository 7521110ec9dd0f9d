import { Module } from '@nestjs/common';
import { SearchQueries } from './queries.js';
import { SearchProjection } from './search.projection.js';

@Module({ providers: [SearchProjection, SearchQueries], exports: [SearchQueries] })
export class SearchReadModelModule {}
