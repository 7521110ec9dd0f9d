import {
  comparedForm,
  entityIdOf,
  foldUserId,
  isUserOrEntity,
  sameUser,
} from '../canonical-key/canonical-key.js';
import type { ActionRequested, Person } from './events.js';

/** Those by and for whom a request was made. */
export type Requested = Pick<ActionRequested, 'proposer' | 'made_for'>;

export const idsOf = ({ sub, user_id }: Person): readonly string[] =>
  user_id === null ? [sub] : [sub, user_id];

/** The name under which a person's own things are kept: the user, or the sub of a token without a user. */
export const nameOfPerson = ({ sub, user_id }: Person): string =>
  user_id === null ? sub : comparedForm(user_id);

/** True if one of a person's ids is among these ids, however it is spelled (SPEC I9). */
export const isOneOf = (person: Person, ids: readonly string[]): boolean =>
  idsOf(person).some((id) => ids.some((other) => sameUser(id, other)));

/**
 * True if the request concerns this person. `made_for` is the user's raw id, or the entity id if the raw
 * id is unknown.
 */
export const isMadeFor = (
  person: Person,
  { made_for }: Pick<ActionRequested, 'made_for'>,
): boolean => made_for !== null && idsOf(person).some((id) => isUserOrEntity(id, made_for));

/** True for those by and for whom the request was made, who do not review it (SPEC G2). */
export const isConcerned = (person: Person, requested: Requested): boolean =>
  isOneOf(person, idsOf(requested.proposer)) || isMadeFor(person, requested);

/** The forms of a person's ids under which a read model finds the requests that concern the person. */
export interface FormsOfPerson {
  readonly ids: readonly string[];
  readonly entities: readonly string[];
}

/** Returns the forms by which a read model decides as `isConcerned` does; one form too many only hides more. */
export function formsOf(person: Person): FormsOfPerson {
  const ids = idsOf(person);
  return {
    ids: [...new Set(ids.flatMap((id) => [id, comparedForm(id), foldUserId(id)]))],
    entities: ids.flatMap((id) => entityIdOf(id) ?? []),
  };
}
