import { Global, Module } from '@nestjs/common';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { JobQueries } from '#projections/jobs/queries.js';
import { MemoryItemQueries } from '#projections/memory-items/queries.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { SemQueries } from '#projections/sem/queries.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { Postgres } from '#read-model/postgres.js';

const over = (provide: new (postgres: Postgres) => object) => ({
  provide,
  inject: [Postgres],
  useFactory: (postgres: Postgres) => new provide(postgres),
});

const QUERIES = [
  SemQueries,
  SemSnapshots,
  EpisodeQueries,
  JobQueries,
  ActionRequestQueries,
  MemoryItemQueries,
  ReflectiveLogQueries,
];

/** The read models' queries, for every capability. */
@Global()
@Module({
  providers: QUERIES.map(over),
  exports: QUERIES,
})
export class ReadModelsModule {}
