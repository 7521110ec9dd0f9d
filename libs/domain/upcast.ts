import type { DomainEvent, EventSchema } from './decider.js';
import type { JsonObject } from './json.js';
import type { RecordedEvent } from './recorded-event.js';

/** An event that this release cannot read: of an unknown type, or written by a later release. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(event: RecordedEvent, reason: string) {
    super(`Event ${event.number} of ${event.stream} cannot be read: ${reason}`);
  }
}

/**
 * A stored event with its data lifted, version by version, to the schema of today.
 * @throws UnreadableEvent for an unknown type, a later version and a version with no way up.
 */
export function upcast<Event extends DomainEvent>(
  schemas: Readonly<Record<string, EventSchema>>,
  stored: RecordedEvent,
): Event {
  const { type } = stored;
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (schema === undefined) throw new UnreadableEvent(stored, 'its type is unknown');
  const stands = stored.metadata.schema_version;
  if (stands === schema.version) return stored as DomainEvent as Event;
  if (!Number.isInteger(stands) || stands > schema.version)
    throw new UnreadableEvent(stored, `schema version ${stands} is later than ${schema.version}`);
  let data: JsonObject = stored.data;
  for (let version = stands; version < schema.version; version += 1) {
    const lift = schema.upcast?.[version];
    if (lift === undefined) throw new UnreadableEvent(stored, `no way up from version ${version}`);
    data = lift(data);
  }
  return { ...stored, data } as DomainEvent as Event;
}
