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
  ...['conversation', 'note', 'thread'],
]);

/** The categories of which the council reads every stream (SPEC I9, S1). */
const COUNCIL_CATEGORIES: ReadonlySet<string> = new Set([
  ...['job', 'session', 'request', 'reflective', 'memory', 'sem', 'conversation', 'note', 'thread'],
]);

/** Events of a stream that its owner does not get, because only auditors see rows in quarantine. */
const AUDITED_TYPES: ReadonlySet<string> = new Set(['log_quarantined', 'log_healed']);

/** How far an actor reads the streams of a category. */
export type CategoryReach = 'all' | 'own' | 'none';

/** Returns how far an actor reads the streams of a category (SPEC §13, I9). */
export function reachInCategory(actor: Actor, category: string): CategoryReach {
  if (hasRole(actor, 'admin', 'auditor')) return 'all';
  if (hasRole(actor, 'council') && COUNCIL_CATEGORIES.has(category)) return 'all';
  return hasRole(actor, 'agent', 'user') && OWN_CATEGORIES.has(category) ? 'own' : 'none';
}

/** True for an event that the owner of its stream does not get. */
export const isForAuditors = ({ type }: RecordedEvent): boolean => AUDITED_TYPES.has(type);

/** True if the first event of a stream says that the actor owns the stream, or that it concerns the actor's user. */
export function ownsByFirstEvent(actor: Actor, first: RecordedEvent): boolean {
  const { type, data } = first;
  const { owner } = data as { readonly owner?: JobOwner };
  switch (type) {
    case 'job_started':
    case 'session_claimed':
      return owner !== undefined && mayReadJob(actor, owner);
    case 'reflective_log_written':
      return owner !== undefined && mayReadLog(actor, owner);
    case 'action_requested':
      return mayReadProposal(actor, data as unknown as ActionRequested);
    default:
      return privateOwnerIn(first) === privateOwnerOf(actor);
  }
}

/** Returns the owner in the first event of a conversation, a thread or a note. */
function privateOwnerIn({ data }: RecordedEvent): string | undefined {
  const { conversation, thread, owner } = data as {
    readonly conversation?: { readonly owner: JobOwner };
    readonly thread?: { readonly owner: JobOwner };
    readonly owner?: string | JobOwner;
  };
  const person = conversation?.owner ?? thread?.owner;
  if (person !== undefined) return privateOwner(person);
  return typeof owner === 'string' ? owner : undefined;
}
