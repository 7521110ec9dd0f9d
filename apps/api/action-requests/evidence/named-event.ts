import type { Json, JsonObject } from '#domain/json.js';
import type { LoggedEvent } from '#event-store/event-store.js';

/** An event that an entry of the evidence names. */
interface NamedEvent {
  readonly stream: string;
  readonly number: number;
  readonly hash: string | undefined;
}

/** True if an event has the hash by which an entry names it. */
export const isAsNamed = ({ metadata }: LoggedEvent, { hash }: NamedEvent): boolean =>
  (hash ?? metadata.hash) === metadata.hash;

/** Returns the event that an entry names: the put of a note, or an event by its stream and number. */
export function eventNamedIn({
  note,
  stream,
  number,
  event_number,
  hash,
}: JsonObject): NamedEvent | undefined {
  if (isObject(note)) {
    const { stream: of, version, hash: noteHash } = note;
    return typeof of === 'string' && typeof version === 'number'
      ? { stream: of, number: version - 1, hash: textOf(noteHash) }
      : undefined;
  }
  const at = number ?? event_number;
  const isEvent =
    typeof stream === 'string' && typeof at === 'number' && Number.isSafeInteger(at) && at >= 0;
  return isEvent ? { stream, number: at, hash: textOf(hash) } : undefined;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
