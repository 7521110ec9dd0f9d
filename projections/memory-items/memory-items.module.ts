import { Module } from '@nestjs/common';
import { MemoryItemsProjection } from './memory-items.projection.js';
import { MemoryItemQueries } from './queries.js';

@Module({ providers: [MemoryItemsProjection, MemoryItemQueries], exports: [MemoryItemQueries] })
export class MemoryItemsReadModelModule {}
