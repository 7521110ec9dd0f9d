import { Projector } from '#read-model/projector.decorator.js';
import { JOB, PINNED_SNAPSHOT } from './tables.js';

/** The list of jobs with a summary of their state, and the snapshots that they pinned. */
@Projector({ name: 'jobs', version: 8, tables: [JOB, PINNED_SNAPSHOT] })
export class JobsProjection {}
