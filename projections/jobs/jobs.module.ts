import { Module } from '@nestjs/common';
import { JobsProjection } from './jobs.projection.js';
import { JobQueries } from './queries.js';

@Module({ providers: [JobsProjection, JobQueries], exports: [JobQueries] })
export class JobsReadModelModule {}
