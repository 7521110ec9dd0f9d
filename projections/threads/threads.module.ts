import { Module } from '@nestjs/common';
import { ThreadQueries } from './queries.js';
import { ThreadsProjection } from './threads.projection.js';

@Module({ providers: [ThreadsProjection, ThreadQueries], exports: [ThreadQueries] })
export class ThreadsReadModelModule {}
