import { Module } from '@nestjs/common';
import { OversightProjection } from './oversight.projection.js';
import { OversightQueries } from './queries.js';

@Module({ providers: [OversightProjection, OversightQueries], exports: [OversightQueries] })
export class OversightReadModelModule {}
