import { foldUserId } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';
import { keysOf } from '../keys-of.js';

/** The forms of the subjects under whose keys personal data is sealed, and which an erasure names (SPEC P5, G6). */
const SUBJECT_FORMS = {
  user: 'user:<id>',
  sub: 'sub:<id>',
  job: 'job:<seed>',
  request: 'request:<id>',
  fact: 'fact:<key>',
} as const;
export type SubjectKind = keyof typeof SUBJECT_FORMS;

/** Returns the forms as a sentence lists them. @param mark stands before and after each form */
export function subjectForms(mark = ''): string {
  const forms = Object.values(SUBJECT_FORMS).map((form) => `${mark}${form}${mark}`);
  return `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`;
}

export interface SubjectParts {
  readonly kind: SubjectKind;
  readonly id: string;
}

export const subjectOf = (kind: SubjectKind, id: string): string => `${kind}:${id}`;

/** Returns the kind and the id in a subject; undefined for any other text. */
export function partsOfSubject(subject: string): SubjectParts | undefined {
  const kind = keysOf(SUBJECT_FORMS).find((one) => subject.startsWith(subjectOf(one, '')));
  const id = kind === undefined ? '' : subject.slice(subjectOf(kind, '').length);
  return kind === undefined || id === '' ? undefined : { kind, id };
}

/**
 * Returns the subject under whose key the personal data of a job is sealed: the job's user, or the job itself
 * (SPEC P5).
 */
export const subjectOfJob = (job_seed: string, { user_id }: JobOwner): string =>
  user_id === null ? subjectOf('job', job_seed) : subjectOfUser(user_id);

/** Returns the subject of a user. Ids that name the same user give the same subject (SPEC I9). */
export const subjectOfUser = (user_id: string): string => subjectOf('user', foldUserId(user_id));

/** Returns the subject of the values of a fact in which the council has cleared every finding (SPEC W8). */
export const subjectOfFact = (key: string): string => subjectOf('fact', key);
