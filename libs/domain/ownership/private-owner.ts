import type { JobOwner } from '../job/events.js';
import { partsOfSubject, subjectOf, subjectOfUser } from '../privacy/subject.js';
import type { Actor } from '../recorded-event.js';
import { personOf } from './access.js';

/**
 * Returns the owner of what a caller keeps for itself, such as conversations: the user of its token, or the
 * sub of a token without one. It is part of the names of the owner's streams, and the subject under whose
 * key the owner's personal data is sealed (SPEC P3).
 */
export const privateOwnerOf = (actor: Actor): string => privateOwner(personOf(actor));

/** Returns the private owner for a caller as events name it. */
export const privateOwner = ({ sub, user_id }: JobOwner): string =>
  user_id === null ? subjectOf('sub', sub) : subjectOfUser(user_id);

/** Returns an owner that a request names, `user:<id>` or `sub:<sub>`, in the form of `privateOwnerOf`. */
export function namedPrivateOwner(named: string): string {
  const parts = partsOfSubject(named);
  return parts?.kind === 'user' ? subjectOfUser(parts.id) : named;
}
