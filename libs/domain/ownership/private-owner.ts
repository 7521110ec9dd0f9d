import { subjectOfUser } from '../privacy/subject.js';
import type { Actor } from '../recorded-event.js';
import { ownUserId } from './access.js';

/**
 * Returns the owner of what a caller keeps for itself, such as conversations: the user of its token, or the
 * sub of a token without one. It is part of the names of the owner's streams, and the subject under whose
 * key the owner's personal data is sealed (SPEC P3).
 */
export function privateOwnerOf(actor: Actor): string {
  const user = ownUserId(actor);
  return user === undefined ? `sub:${actor.sub}` : subjectOfUser(user);
}
