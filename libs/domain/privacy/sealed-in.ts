import { addsConversationItems } from '../conversation/events.js';
import type { DomainEvent, EventKind } from '../decider.js';
import type { Sealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import { withThreadHolders } from '../thread/events.js';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSealedValue = (value: Json | undefined): value is Sealed =>
  isObject(value) && typeof value['jwe'] === 'string' && typeof value['type'] === 'string';

/** The fields in which an event, or one of its parts, may hold a sealed value. */
export const SEALED_FIELDS = [
  'sealed',
  'sealed_payload',
  'sealed_namespace',
  'sealed_key',
] as const;

function ownOf(holder: Json | undefined): Sealed[] {
  if (!isObject(holder)) return [];
  return SEALED_FIELDS.map((field) => holder[field]).filter(isSealedValue);
}

/** Returns the sealed values in the `items` of a CWM, or of a conversation's event. */
function itemsOf(holder: Json | undefined): Sealed[] {
  const items = isObject(holder) ? holder['items'] : undefined;
  return Array.isArray(items) ? (items as readonly Json[]).flatMap(ownOf) : [];
}

function threadSealed(event: DomainEvent): Sealed[] {
  const found: Sealed[] = [];
  withThreadHolders(event, (holder) => {
    found.push(...ownOf(holder));
    return holder;
  });
  return found;
}

/**
 * Returns the sealed values of an event, from the places where the rules put them: a caller's own JSON with the
 * same form does not count (SPEC P5).
 */
export function sealedIn(event: DomainEvent): Sealed[] {
  const { type, data } = event;
  const own = [...ownOf(data), ...threadSealed(event)];
  if (type === 'job_started') return [...own, ...itemsOf(data['carried_cwm'])];
  if (addsConversationItems(type)) return itemsOf(data);
  const payload = type === 'episodic_summary' ? data['payload'] : undefined;
  return isObject(payload) ? [...own, ...itemsOf(payload['cwm'])] : own;
}

/**
 * Returns the values that were sealed for the command of this event. A job's start and an outcome carry values on that
 * an earlier command has sealed.
 */
export const sealedFor = (event: DomainEvent, kind: EventKind): Sealed[] =>
  kind === 'input' && event.type !== 'job_started' ? sealedIn(event) : [];
