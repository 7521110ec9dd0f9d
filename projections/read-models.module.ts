import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Projections } from '#read-model/projections.js';
import { ActionRequestsProjection } from './action-requests/action-requests.projection.js';
import { ActionRequestQueries } from './action-requests/queries.js';
import { CheckpointsProjection } from './checkpoints/checkpoints.projection.js';
import { CheckpointQueries } from './checkpoints/queries.js';
import { CollisionsProjection } from './collisions/collisions.projection.js';
import { CollisionQueries } from './collisions/queries.js';
import { EpisodesProjection } from './episodes/episodes.projection.js';
import { EpisodeQueries } from './episodes/queries.js';
import { JobsProjection } from './jobs/jobs.projection.js';
import { JobQueries } from './jobs/queries.js';
import { MemoriesProjection } from './memories/memories.projection.js';
import { MemoriesQueries } from './memories/queries.js';
import { MemoryItemsProjection } from './memory-contract/memory-contract.projection.js';
import { MemoryItemQueries } from './memory-contract/queries.js';
import { NotesProjection } from './notes/notes.projection.js';
import { NoteQueries } from './notes/queries.js';
import { ObligationsProjection } from './obligations/obligations.projection.js';
import { OversightProjection } from './oversight/oversight.projection.js';
import { OversightQueries } from './oversight/queries.js';
import { ReadQueries } from './why/queries.js';
import { ReadsProjection } from './why/why.projection.js';
import { RecordedTimesQueries } from './recorded-times/queries.js';
import { RecordedTimesProjection } from './recorded-times/recorded-times.projection.js';
import { ReflectiveLogsProjection } from './reflective-logs/reflective-logs.projection.js';
import { ReflectiveLogQueries } from './reflective-logs/queries.js';
import { SealedValueQueries } from './sealed-values/queries.js';
import { SealedValuesProjection } from './sealed-values/sealed-values.projection.js';
import { SearchQueries } from './search/queries.js';
import { SearchProjection } from './search/search.projection.js';
import { SemQueries } from './sem/queries.js';
import { SemSnapshots } from './sem/sem-snapshots.js';
import { SemProjection } from './sem/sem.projection.js';
import { ThreadQueries } from './threads/queries.js';
import { ThreadsProjection } from './threads/threads.projection.js';

const PROJECTIONS = [
  ActionRequestsProjection,
  CheckpointsProjection,
  CollisionsProjection,
  EpisodesProjection,
  JobsProjection,
  MemoriesProjection,
  MemoryItemsProjection,
  NotesProjection,
  ObligationsProjection,
  OversightProjection,
  ReadsProjection,
  RecordedTimesProjection,
  ReflectiveLogsProjection,
  SealedValuesProjection,
  SearchProjection,
  SemProjection,
  ThreadsProjection,
];

const QUERIES = [
  ActionRequestQueries,
  CheckpointQueries,
  CollisionQueries,
  EpisodeQueries,
  JobQueries,
  MemoriesQueries,
  MemoryItemQueries,
  NoteQueries,
  OversightQueries,
  ReadQueries,
  RecordedTimesQueries,
  ReflectiveLogQueries,
  SealedValueQueries,
  SearchQueries,
  SemQueries,
  SemSnapshots,
  ThreadQueries,
];

/** Every read model of the product: its projection for the runner, and its queries for the capabilities. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [Projections, ...PROJECTIONS, ...QUERIES],
  exports: [Projections, ...QUERIES],
})
export class ReadModelsModule {}
