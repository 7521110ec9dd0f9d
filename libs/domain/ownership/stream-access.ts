import { actionRequestDecider } from '../action-request/action-request.decider.js';
import { eventOfType } from '../upcast.js';
import { mayReadProposal } from '../action-request/view.js';
import type { ActionRequested } from '../action-request/events.js';
import type { JobOwner } from '../job/events.js';
import type { Actor, RecordedEvent } from '../recorded-event.js';
import { mayReadLog } from '../reflective-log/view.js';
import { hasRole, mayReadJob } from './access.js';
import { privateOwner, privateOwnerOf } from './private-owner.js';

/** The categories of which agents and users get the events of their own streams (SPEC §13, I9). */
const OWN_CATEGORIES: ReadonlySet<string> = new Set([
  ...['job', 'session', 'request', 'reflective', 'memory', 'sem', 'consent'],
  ...['conversation', 'note', 'thread', 'remembered'],
]);

/** The categories of which the council reads every stream (SPEC I9, S1). */
const COUNCIL_CATEGORIES: ReadonlySet<string> = new Set([
  ...['job', 'session', 'request', 'reflective', 'memory', 'sem'],
  ...['conversation', 'note', 'thread', 'remembered'],
]);

/** Events of a stream that its owner does not get, because only auditors see rows in quarantine. */
const AUDITED_TYPES: ReadonlySet<string> = new Set(['log_quarantined', 'log_healed']);

export type CategoryReach = 'all' | 'own' | 'none';

/** Returns how far an actor reads the streams of a category (SPEC §13, I9). */
export function reachInCategory(actor: Actor, category: string): CategoryReach {
  if (hasRole(actor, 'admin', 'auditor')) return 'all';
  if (hasRole(actor, 'council') && COUNCIL_CATEGORIES.has(category)) return 'all';
  return hasRole(actor, 'agent', 'user') && OWN_CATEGORIES.has(category) ? 'own' : 'none';
}

/** True for an event that the owner of its stream does not get. */
export const isForAuditors = ({ type }: RecordedEvent): boolean => AUDITED_TYPES.has(type);

/** What the first event of a stream says of its owner. It is small, however large the event is. */
export interface StreamOwner {
  readonly type: string;
  /** The owner of a job, a session, a log or, as a text, of a note or of memories. */
  readonly owner?: string | JobOwner;
  /** The owner of a conversation or a thread. */
  readonly person?: JobOwner;
  /** Those whom an action request concerns. */
  readonly proposal?: Proposal;
}

type Proposal = Pick<ActionRequested, 'proposer' | 'made_for'>;

export function ownerIn(first: RecordedEvent): StreamOwner {
  const { type, data } = first;
  const { owner, conversation, thread } = data as {
    readonly owner?: string | JobOwner;
    readonly conversation?: { readonly owner: JobOwner };
    readonly thread?: { readonly owner: JobOwner };
  };
  const person = conversation?.owner ?? thread?.owner;
  const proposed = eventOfType(actionRequestDecider, first, 'action_requested');
  if (proposed !== undefined) {
    const { proposer, made_for } = proposed.data;
    return { type, proposal: { proposer, made_for } };
  }
  return { type, ...(owner && { owner }), ...(person && { person }) };
}

/** True if the actor owns a stream, or the stream concerns the actor's user. */
export function ownsStream(actor: Actor, { type, owner, person, proposal }: StreamOwner): boolean {
  if (proposal !== undefined) return mayReadProposal(actor, proposal);
  const named = typeof owner === 'object' ? owner : undefined;
  switch (type) {
    case 'job_started':
    case 'session_claimed':
      return named !== undefined && mayReadJob(actor, named);
    case 'reflective_log_written':
      return named !== undefined && mayReadLog(actor, named);
    default: {
      const own = person === undefined ? owner : privateOwner(person);
      return own === privateOwnerOf(actor);
    }
  }
}
