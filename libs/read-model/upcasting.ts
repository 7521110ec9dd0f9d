import { actionRequestSchemas } from '#domain/action-request/events.js';
import { auditSchemas } from '#domain/audit/events.js';
import { consentSchemas } from '#domain/consent/events.js';
import { conversationSchemas } from '#domain/conversation/events.js';
import type { EventSchema } from '#domain/decider.js';
import { jobSchemas } from '#domain/job/events.js';
import { memorySchemas } from '#domain/memory-contract/events.js';
import { noteSchemas } from '#domain/note/events.js';
import { ownerSchemas } from '#domain/ownership/events.js';
import { quarantineSchemas } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogSchemas } from '#domain/reflective-log/events.js';
import { semSchemas } from '#domain/sem/events.js';
import { sessionSchemas } from '#domain/session/events.js';
import { threadSchemas } from '#domain/thread/events.js';
import { upcast } from '#domain/upcast.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Projection } from './projection.js';

/** The event schemas of every category that a read model uses. */
const SCHEMAS: Readonly<Record<string, Readonly<Record<string, EventSchema>>>> = {
  job: jobSchemas,
  memory: memorySchemas,
  owner: ownerSchemas,
  sem: semSchemas,
  request: actionRequestSchemas,
  session: sessionSchemas,
  reflective: reflectiveLogSchemas,
  quarantine: quarantineSchemas,
  note: noteSchemas,
  conversation: conversationSchemas,
  thread: threadSchemas,
  audit: auditSchemas,
  consent: consentSchemas,
};

/** Returns the part of a stream's name before the first `-`; the whole name if it has no `-`. */
export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};

/**
 * True if an event is for a read model. This includes event types that this release does not know: if
 * they were skipped, they would be missing for good.
 */
export function concerns(
  { categories, types }: Projection,
  { stream, type }: LoggedEvent,
): boolean {
  const category = categoryOf(stream);
  if (!categories.includes(category)) return false;
  return types === undefined || types.has(type) || !isKnown(category, type);
}

const schemasOf = (category: string): Readonly<Record<string, EventSchema>> | undefined =>
  Object.hasOwn(SCHEMAS, category) ? SCHEMAS[category] : undefined;

/** True for streams whose events have schemas, and with them a hash chain (SPEC I6). */
export const hasSchemas = (stream: string): boolean => schemasOf(categoryOf(stream)) !== undefined;

const isKnown = (category: string, type: string): boolean =>
  Object.hasOwn(schemasOf(category) ?? {}, type);

/**
 * Returns an event with its data upcast to the current schema. @throws UnreadableEvent for data of a
 * later release; events of categories without schemas are returned unchanged.
 */
export function upcastLogged(event: LoggedEvent): LoggedEvent {
  const schemas = schemasOf(categoryOf(event.stream));
  return schemas === undefined ? event : upcast<LoggedEvent>(schemas, event);
}
