import { subjectOf, subjectOfUser } from '../privacy/subject.js';
import type { ActionRequested } from './events.js';

type Concerned = Pick<ActionRequested, 'request_id' | 'made_for' | 'job_seed'>;

/**
 * Returns the subject under whose key a proposed value is sealed: the user whom the request concerns, else the job
 * whose episode it is based on, else the request itself (SPEC P5).
 */
export function subjectOfRequest({ request_id, made_for, job_seed }: Concerned): string {
  if (made_for !== null) return subjectOfUser(made_for);
  return job_seed === undefined ? subjectOf('request', request_id) : subjectOf('job', job_seed);
}
