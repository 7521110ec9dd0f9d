import { Module } from '@nestjs/common';
import { ObligationsProjection } from './obligations.projection.js';

@Module({ providers: [ObligationsProjection] })
export class ObligationsReadModelModule {}
