import { actionRequestsProjection } from '#projections/action-requests/action-requests.projection.js';
import { episodesProjection } from '#projections/episodes/episodes.projection.js';
import { jobsProjection } from '#projections/jobs/jobs.projection.js';
import { obligationsProjection } from '#projections/obligations/obligations.projection.js';
import { semProjection } from '#projections/sem/sem.projection.js';
import type { Projection } from '#read-model/projection.js';

/** Every read model of the product. */
export const PROJECTIONS: readonly Projection[] = [
  semProjection,
  episodesProjection,
  actionRequestsProjection,
  jobsProjection,
  obligationsProjection,
];
