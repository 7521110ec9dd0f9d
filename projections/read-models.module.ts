import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Projections } from '#read-model/projections.js';
import { ActionRequestsReadModelModule } from './action-requests/action-requests.module.js';
import { CollisionsReadModelModule } from './collisions/collisions.module.js';
import { EpisodesReadModelModule } from './episodes/episodes.module.js';
import { JobsReadModelModule } from './jobs/jobs.module.js';
import { MemoryItemsReadModelModule } from './memory-items/memory-items.module.js';
import { NotesReadModelModule } from './notes/notes.module.js';
import { ObligationsReadModelModule } from './obligations/obligations.module.js';
import { OversightReadModelModule } from './oversight/oversight.module.js';
import { ReadsReadModelModule } from './reads/reads.module.js';
import { ReflectiveLogsReadModelModule } from './reflective-logs/reflective-logs.module.js';
import { SealedValuesReadModelModule } from './sealed-values/sealed-values.module.js';
import { SearchReadModelModule } from './search/search.module.js';
import { SemReadModelModule } from './sem/sem.module.js';
import { ThreadsReadModelModule } from './threads/threads.module.js';

const READ_MODELS = [
  SemReadModelModule,
  EpisodesReadModelModule,
  ActionRequestsReadModelModule,
  JobsReadModelModule,
  ReadsReadModelModule,
  ReflectiveLogsReadModelModule,
  MemoryItemsReadModelModule,
  CollisionsReadModelModule,
  NotesReadModelModule,
  ObligationsReadModelModule,
  OversightReadModelModule,
  SealedValuesReadModelModule,
  SearchReadModelModule,
  ThreadsReadModelModule,
];

/** Every read model of the product: its projection for the runner, and its queries for the capabilities. */
@Global()
@Module({
  imports: [DiscoveryModule, ...READ_MODELS],
  providers: [Projections],
  exports: [Projections, ...READ_MODELS],
})
export class ReadModelsModule {}
