import { sameUser } from '../canonical-key/canonical-key.js';
import { hasRole } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { ActionRequestState } from './state.js';

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

/** True for a person who voted on the erasure, and so does not execute it: it takes two people (SPEC G6). */
export const hasVotedOn = ({ votes }: Pick<ActionRequestState, 'votes'>, sub: string): boolean =>
  votes.some(({ voter }) => sameUser(voter.sub, sub));

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
    ...(hasVotedOn(state, actor.sub) ? (['voted'] as const) : []),
  ];
}

function stageOf({ status, erasure }: ActionRequestState): ErasureObstacle | undefined {
  if (status === 'pending') return 'undecided';
  if (status === 'executed') return 'executed';
  if (status !== 'approved') return 'closed';
  return erasure === undefined ? undefined : 'ordered';
}
