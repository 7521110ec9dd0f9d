import { Module } from '@nestjs/common';
import { SemQueries } from './queries.js';
import { SemSnapshots } from './sem-snapshots.js';
import { SemProjection } from './sem.projection.js';

@Module({
  providers: [SemProjection, SemQueries, SemSnapshots],
  exports: [SemQueries, SemSnapshots],
})
export class SemReadModelModule {}
