import type { Decider } from '../decider.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import type { JobOwner } from '../job/events.js';
import { mayUseJob, sameOwner } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import { idOfSessionStream } from '../stream-names.js';
import { sessionSchemas, type SessionEvent } from './events.js';

export interface SessionState {
  readonly session_id: string;
  readonly owner: JobOwner | null;
  /**
   * The seeds of the session's ended jobs, in the order in which they ended. The next job starts with
   * the CWM of the last one (SPEC J1).
   */
  readonly ended_jobs: readonly string[];
}

export type SessionCommand =
  /** Sent by the first start or interaction (SPEC I9). */
  | { readonly type: 'claim'; readonly owner: JobOwner }
  | { readonly type: 'job_ended'; readonly job_seed: string };

/**
 * Returns the command by which an actor claims a session for `owner`; no command if the session has an owner
 * and the actor may use it (SPEC I9). @throws Refusal PERMISSION_DENIED if the actor may not use it.
 */
export function claimBy(
  { session_id, owner: claimed }: Pick<SessionState, 'session_id' | 'owner'>,
  actor: Actor,
  owner: JobOwner,
): readonly SessionCommand[] {
  if (claimed === null) return [{ type: 'claim', owner }];
  permit(mayUseJob(actor, claimed), `use session ${session_id}`, 'I9');
  return [];
}

/** Returns the seed of the job with whose CWM the next job starts (SPEC J1). */
export const lastEndedJob = (state: SessionState): string | undefined => state.ended_jobs.at(-1);

function decide(command: SessionCommand, state: SessionState): readonly SessionEvent[] {
  const { session_id, owner, ended_jobs } = state;
  switch (command.type) {
    case 'claim':
      permit(owner === null || sameOwner(owner, command.owner), `use session ${session_id}`, 'I9');
      if (owner !== null) return [];
      return [{ type: 'session_claimed', data: { session_id, owner: command.owner } }];
    case 'job_ended': {
      if (owner === null) throw new Refusal('NOT_FOUND', { what: 'session', id: session_id });
      const { job_seed } = command;
      if (ended_jobs.includes(job_seed)) return [];
      return [{ type: 'session_job_ended', data: { job_seed } }];
    }
  }
}

function evolve(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session_claimed':
      return { ...state, owner: event.data.owner };
    case 'session_job_ended':
      return { ...state, ended_jobs: [...state.ended_jobs, event.data.job_seed] };
  }
}

/**
 * The decider of the stream `session-<session_id>`. The stream records the session's owner and its ended
 * jobs. A repeated command adds no event (SPEC I9, J1).
 */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent> = {
  category: 'session',
  schemas: sessionSchemas,
  initialState: (stream) => ({
    session_id: idOfSessionStream(stream),
    owner: null,
    ended_jobs: [],
  }),
  evolve,
  decide,
  commandOf: (input) =>
    input.type === 'session_claimed'
      ? { type: 'claim', owner: input.data.owner }
      : { type: 'job_ended', job_seed: input.data.job_seed },
};
