import { Module } from '@nestjs/common';
import { ReadQueries } from './queries.js';
import { ReadsProjection } from './reads.projection.js';

@Module({ providers: [ReadsProjection, ReadQueries], exports: [ReadQueries] })
export class ReadsReadModelModule {}
