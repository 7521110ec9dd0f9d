import { Refusal } from '../errors/refusal.js';
import type { Person } from './events.js';
import { idsOf, isOneOf } from './persons.js';

/** How much one member, and all together, add to one request. The events are read whole for each view of it. */
interface Share {
  readonly member: number;
  readonly all: number;
}

const REVISIONS: Share = { member: 20, all: 100 };
const REMARKS: Share = { member: 200, all: 1_000 };

/** @throws Refusal INVALID_INPUT if a member, or all together, have added as much as they may */
function requireShare(
  person: Person,
  by: readonly Person[],
  { member, all }: Share,
  what: string,
): void {
  const own = by.filter((other) => isOneOf(person, idsOf(other))).length;
  const reason =
    own >= member
      ? `a member adds at most ${member} ${what} to a request`
      : `a request has at most ${all} ${what}`;
  if (own >= member || by.length >= all) throw new Refusal('INVALID_INPUT', { reason });
}

export const requireRevision = (editor: Person, by: readonly Person[]): void =>
  requireShare(editor, by, REVISIONS, 'revisions');

export const requireRemark = (
  person: Person,
  by: readonly Person[],
  what: 'questions' | 'comments' | 'assignments' | 'snoozes',
): void => requireShare(person, by, REMARKS, what);
