import { episodesProjection } from '#projections/episodes/episodes.projection.js';
import { obligationsProjection } from '#projections/obligations/obligations.projection.js';
import { semProjection } from '#projections/sem/sem.projection.js';
import type { Projection } from '#read-model/projection.js';

/** Every read model of the product. */
export const PROJECTIONS: readonly Projection[] = [
  semProjection,
  episodesProjection,
  obligationsProjection,
];
