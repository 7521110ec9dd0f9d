import { sameUser } from '../canonical-key/canonical-key.js';
import type { Person } from './events.js';

export const idsOf = ({ sub, user_id }: Person): readonly string[] =>
  user_id === null ? [sub] : [sub, user_id];

/** True if one of a person's ids is among these ids, however it is spelled (SPEC I9). */
export const isOneOf = (person: Person, ids: readonly string[]): boolean =>
  idsOf(person).some((id) => ids.some((other) => sameUser(id, other)));
