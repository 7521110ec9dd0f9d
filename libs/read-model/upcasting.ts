import { rulesFor } from '#domain/replay/stream-rules.js';
import { categoryOf } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Projection } from './projection.js';

/**
 * True if an event is for a read model. This includes event types that this release does not know: if
 * they were skipped, they would be missing for good.
 */
export const concerns = ({ categories, types }: Projection, event: LoggedEvent): boolean =>
  categories.includes(categoryOf(event.stream)) &&
  (types === undefined || types.has(event.type) || !isKnown(event));

/** True for streams whose events have schemas, and with them a hash chain (SPEC I6). */
export const hasSchemas = (stream: string): boolean => rulesFor(stream) !== undefined;

const isKnown = ({ stream, type }: LoggedEvent): boolean =>
  Object.hasOwn(rulesFor(stream)?.schemas ?? {}, type);

/**
 * Returns an event with its data upcast to the current schema. @throws UnreadableEvent for data of a
 * later release; events of categories without schemas are returned unchanged.
 */
export function upcastLogged(event: LoggedEvent): LoggedEvent {
  const rules = rulesFor(event.stream);
  return rules === undefined ? event : upcast<LoggedEvent>(rules.schemas, event);
}
