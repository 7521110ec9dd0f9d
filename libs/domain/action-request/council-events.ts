import type { CouncilEvent } from '../reflective-log/events.js';
import { idOfRequestStream } from '../stream-names.js';
import type { ActionRequestEvent } from './events.js';

/** The types of the events that the ReflectiveLog of the request's job lists (SPEC G3). */
export const COUNCIL_EVENT_TYPES = [
  'action_requested',
  'vote_cast',
  'proposal_revised',
  'span_cleared',
  'question_asked',
  'question_answered',
  'request_approved',
  'erasure_approved',
  'request_rejected',
  'request_expired',
  'request_executed',
  'execution_refused',
] as const satisfies readonly ActionRequestEvent['type'][];

export const isCouncilEventType = (type: string): boolean =>
  (COUNCIL_EVENT_TYPES as readonly string[]).includes(type);

/**
 * Returns what the log of the request's job lists for an event of the request: the event itself and, before
 * the outcome of an execution, the write that it links (SPEC G3).
 */
export function councilEventsOf(
  event: ActionRequestEvent & { readonly stream: string; readonly number: number },
): readonly CouncilEvent[] {
  const { type, stream, number } = event;
  if (!isCouncilEventType(type)) return [];
  const request_id = idOfRequestStream(stream);
  const own = { request_id, kind: type, stream, event_number: number };
  const link = linkOf(event);
  if (link === null) return [own];
  const { sem_stream, sem_event_number } = link;
  const write = { stream: sem_stream, event_number: sem_event_number };
  return [{ request_id, kind: 'fact_put', ...write }, own];
}

function linkOf(event: ActionRequestEvent) {
  if (event.type === 'request_executed') return event.data;
  return event.type === 'execution_refused' ? event.data.link : null;
}
