import { foldUserId } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';

/**
 * Returns the subject under whose key the personal data of a job is sealed: the job's user, or the job itself
 * (SPEC P5).
 */
export const subjectOfJob = (job_seed: string, { user_id }: JobOwner): string =>
  user_id === null ? `job:${job_seed}` : subjectOfUser(user_id);

/** Returns the subject of a user. Ids that name the same user give the same subject (SPEC I9). */
export const subjectOfUser = (user_id: string): string => `user:${foldUserId(user_id)}`;

/** Returns the subject of the values of a fact in which the council has cleared every finding (SPEC W8). */
export const subjectOfFact = (key: string): string => `fact:${key}`;
