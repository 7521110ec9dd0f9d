/**
 * The beginning of the seeds of jobs that `mace sample` starts. Jobs cannot be deleted, so lists can leave these out.
 */
export const SAMPLE_SEEDS = 'sample-';
