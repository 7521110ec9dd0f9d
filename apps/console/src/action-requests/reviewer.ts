import { idsOf, isConcerned, isOneOf, type Requested } from '#domain/action-request/persons.js';
import type { Session } from '../session/session';

/** A person as requests name them. */
type Person = Requested['proposer'];

const personIn = ({ sub, userId }: Session): Person => ({ sub, user_id: userId ?? null });

/** True if the signed-in person made the request, or it was made for them: others decide (SPEC G2). */
export const concerns = ({ proposer, made_for }: Requested, session: Session): boolean =>
  isConcerned(personIn(session), { proposer, made_for });

/** True if the signed-in person is this one, under either id (SPEC I9). */
export const isSelf = (person: Person | null | undefined, session: Session): boolean =>
  person !== null && person !== undefined && isOneOf(personIn(session), idsOf(person));
