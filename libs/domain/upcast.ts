import type { DomainEvent, EventSchema } from './decider.js';
import type { JsonObject } from './json.js';
import type { RecordedEvent } from './recorded-event.js';

/** Thrown for an event that this release cannot read, because its type is unknown or a later release wrote it. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(event: RecordedEvent, reason: string) {
    super(`Event ${event.number} of ${event.stream} cannot be read: ${reason}`);
  }
}

/** An event as the log has it, with the type of its data. */
export type Typed<
  Event extends DomainEvent,
  Stored extends RecordedEvent,
> = Event extends DomainEvent ? Omit<Stored, 'type' | 'data'> & Event : never;

/**
 * Returns an event of a decider's streams as its fold sees it. This is the only way from what the log has to the type of
 * an event. @throws UnreadableEvent as `upcast` does
 */
export const eventOf = <Event extends DomainEvent, Stored extends RecordedEvent>(
  {
    schemas,
  }: {
    readonly schemas: Readonly<Record<Event['type'], EventSchema>>;
    evolve(state: never, event: Event): unknown;
  },
  stored: Stored,
): Typed<Event, Stored> => upcast<Typed<Event, Stored>>(schemas, stored);

/** Returns an event as `eventOf` does, if it has this type; undefined otherwise. An event of another type is not read. */
export const eventOfType = <
  Event extends DomainEvent,
  Stored extends RecordedEvent,
  Type extends Event['type'],
>(
  { schemas }: Parameters<typeof eventOf<Event, Stored>>[0],
  stored: Stored,
  type: Type,
): Typed<Extract<Event, { readonly type: Type }>, Stored> | undefined =>
  stored.type === type
    ? upcast<Typed<Extract<Event, { readonly type: Type }>, Stored>>(schemas, stored)
    : undefined;

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
  // eslint-disable-next-line no-restricted-syntax -- the schema says what the data is
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
  // eslint-disable-next-line no-restricted-syntax -- the schema says what the data is
  return { ...stored, data } as DomainEvent as Event;
}
