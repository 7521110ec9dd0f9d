import { sameUser } from '../canonical-key/canonical-key.js';
import { hasRole, personOf } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { Person } from './events.js';
import type { ActionRequestState } from './state.js';
import { idsOf, isOneOf } from './persons.js';

/** Why an erasure cannot be executed now, or not by this caller (SPEC G6). */
export const ERASURE_OBSTACLES = [
  'undecided',
  'closed',
  'ordered',
  'executed',
  'retention',
  'role',
  'voted',
] as const;
export type ErasureObstacle = (typeof ERASURE_OBSTACLES)[number];

/**
 * True for a person who voted on the erasure, and so does not execute it: it takes two people (SPEC G6). Of orders of
 * earlier releases only the sub is known, and compared with subs.
 */
export const hasVotedOn = (
  { votes }: Pick<ActionRequestState, 'votes'>,
  { sub, user_id }: Pick<Person, 'sub'> & Partial<Person>,
): boolean =>
  votes.some(({ voter }) =>
    user_id === undefined ? sameUser(voter.sub, sub) : isOneOf({ sub, user_id }, idsOf(voter)),
  );

/**
 * Returns everything that keeps a caller from executing an erasure; nothing if the caller may execute it now.
 * @param retentionEnd when the retention period ends; undefined if it does not hinder the erasure
 */
export function erasureObstacles(
  actor: Actor,
  state: ActionRequestState,
  retentionEnd: string | undefined,
): readonly ErasureObstacle[] {
  const stage = stageOf(state);
  if (stage === 'closed' || stage === 'ordered' || stage === 'executed') return [stage];
  return [
    ...(stage === undefined ? [] : [stage]),
    ...(retentionEnd === undefined ? [] : (['retention'] as const)),
    ...(hasRole(actor, 'admin') ? [] : (['role'] as const)),
    ...(hasVotedOn(state, personOf(actor)) ? (['voted'] as const) : []),
  ];
}

function stageOf({ status, erasure }: ActionRequestState): ErasureObstacle | undefined {
  if (status === 'pending') return 'undecided';
  if (status === 'executed') return 'executed';
  if (status !== 'approved') return 'closed';
  return erasure === undefined ? undefined : 'ordered';
}
