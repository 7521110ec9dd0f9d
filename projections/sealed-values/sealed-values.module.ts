import { Module } from '@nestjs/common';
import { SealedValueQueries } from './queries.js';
import { SealedValuesProjection } from './sealed-values.projection.js';

@Module({
  providers: [SealedValuesProjection, SealedValueQueries],
  exports: [SealedValueQueries],
})
export class SealedValuesReadModelModule {}
