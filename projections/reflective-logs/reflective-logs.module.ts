import { Module } from '@nestjs/common';
import { ReflectiveLogsProjection } from './reflective-logs.projection.js';
import { ReflectiveLogQueries } from './queries.js';

@Module({
  providers: [ReflectiveLogsProjection, ReflectiveLogQueries],
  exports: [ReflectiveLogQueries],
})
export class ReflectiveLogsReadModelModule {}
