import type { JobOwner } from '../job/events.js';
import { subjectOfUser } from '../privacy/subject.js';
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
  user_id === null ? `sub:${sub}` : subjectOfUser(user_id);

const USER = 'user:';

/** Returns an owner that a request names, `user:<id>` or `sub:<sub>`, in the form of `privateOwnerOf`. */
export const namedPrivateOwner = (named: string): string =>
  named.startsWith(USER) ? subjectOfUser(named.slice(USER.length)) : named;
