import { givenBase } from '#domain/determinism/seeded-clock.js';
import type { RecordEvent } from '../record/job-record';

/** True if the runtime gave the time of the job that an event started; else its seeded times are logical (SPEC W6). */
export function givesTime(started: RecordEvent | undefined): boolean {
  const { job_seed, seeded_epoch } = (started?.data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof seeded_epoch === 'string') return true;
  return typeof job_seed === 'string' && givenBase(job_seed) !== undefined;
}
