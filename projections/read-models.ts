import type { Projection } from '#read-model/projection.js';
import { actionRequestsProjection } from './action-requests/action-requests.projection.js';
import { episodesProjection } from './episodes/episodes.projection.js';
import { jobsProjection } from './jobs/jobs.projection.js';
import { memoryItemsProjection } from './memory-items/memory-items.projection.js';
import { obligationsProjection } from './obligations/obligations.projection.js';
import { reflectiveLogsProjection } from './reflective-logs/reflective-logs.projection.js';
import { semProjection } from './sem/sem.projection.js';

/** Every read model of the product. */
export const READ_MODELS: readonly Projection[] = [
  semProjection,
  episodesProjection,
  actionRequestsProjection,
  jobsProjection,
  reflectiveLogsProjection,
  memoryItemsProjection,
  obligationsProjection,
];
