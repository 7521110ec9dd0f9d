import { actionRequestSchemas } from '#domain/action-request/events.js';
import type { EventSchema } from '#domain/decider.js';
import { jobSchemas } from '#domain/job/events.js';
import { quarantineSchemas } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogSchemas } from '#domain/reflective-log/events.js';
import { semSchemas } from '#domain/sem/events.js';
import { sessionSchemas } from '#domain/session/events.js';
import { upcast } from '#domain/upcast.js';
import type { LoggedEvent } from '#event-store/event-store.js';

/** The schemas of every category that a read model is made of. */
const SCHEMAS: Readonly<Record<string, Readonly<Record<string, EventSchema>>>> = {
  job: jobSchemas,
  sem: semSchemas,
  request: actionRequestSchemas,
  session: sessionSchemas,
  reflective: reflectiveLogSchemas,
  quarantine: quarantineSchemas,
};

/** What stands before the first `-` of a stream's name. */
export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};

/**
 * An event with its data as today's handlers know it. Throws `UnreadableEvent` for what only a later
 * release can read; categories without schemas here are passed on as they are.
 */
export function upcastLogged(event: LoggedEvent): LoggedEvent {
  const category = categoryOf(event.stream);
  const schemas = Object.hasOwn(SCHEMAS, category) ? SCHEMAS[category] : undefined;
  return schemas === undefined ? event : upcast<LoggedEvent>(schemas, event);
}
