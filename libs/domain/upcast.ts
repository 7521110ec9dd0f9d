import type { DomainEvent, EventSchema } from './decider.js';
import type { JsonObject } from './json.js';
import type { RecordedEvent } from './recorded-event.js';

/**
 * Thrown for an event that this release cannot read, because its type is unknown or a later release
 * wrote it.
 */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(event: RecordedEvent, reason: string) {
    super(`Event ${event.number} of ${event.stream} cannot be read: ${reason}`);
  }
}

/**
 * Returns a stored event with its data upcast, version by version, to the current schema.
 * @throws UnreadableEvent for an unknown type, a later version, or a version without an upcast.
 */
export function upcast<Event extends DomainEvent>(
  schemas: Readonly<Record<string, EventSchema>>,
  stored: RecordedEvent,
): Event {
  const { type } = stored;
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (schema === undefined) throw new UnreadableEvent(stored, 'its type is unknown');
  const storedVersion = stored.metadata.schema_version;
  if (storedVersion === schema.version) return stored as DomainEvent as Event;
  if (!Number.isInteger(storedVersion) || storedVersion > schema.version)
    throw new UnreadableEvent(
      stored,
      `schema version ${storedVersion} is later than ${schema.version}`,
    );
  let data: JsonObject = stored.data;
  for (let version = storedVersion; version < schema.version; version += 1) {
    const lift = schema.upcast?.[version];
    if (lift === undefined) throw new UnreadableEvent(stored, `no upcast from version ${version}`);
    data = lift(data);
  }
  return { ...stored, data } as DomainEvent as Event;
}
