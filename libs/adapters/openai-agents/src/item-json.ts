import {
  ERASED,
  isErased,
  type Json,
  recordOf,
  UncarriableValue,
  valueOf,
} from '@mace-memory/client';
import { type AgentInputItem, UserError } from '@openai/agents-core';

/** What stands in a history for an item whose personal data was erased. */
const PLACEHOLDER: AgentInputItem = { role: 'system', content: ERASED };

/**
 * Returns items as JSON. Bytes become base64, undefined properties are left out, and texts are made storable.
 * @throws UserError for values that would not come back as they were
 */
export const toJson = (items: readonly AgentInputItem[], maxBytes?: number): Json[] =>
  Array.from(items, (item: unknown, place) => {
    if (typeof item !== 'object' || item === null)
      throw new UserError(`A session item cannot be stored: items[${place}] is not an object.`);
    try {
      return recordOf(item, { kinds: ['bytes'], ...(maxBytes !== undefined && { maxBytes }) });
    } catch (error) {
      if (!(error instanceof UncarriableValue)) throw error;
      const path = [`items[${place}]`, error.path].filter((part) => part !== '').join('.');
      throw new UserError(`A session item cannot be stored: ${path} is ${error.found}.`);
    }
  });

/** Returns the item that `toJson` turned into JSON; a placeholder for one that was erased. */
export const fromJson = (json: Json): AgentInputItem =>
  isErased(json) ? PLACEHOLDER : (valueOf(json) as AgentInputItem);

/**
 * Returns items as JSON, as `toJson` does. An item that was read from a conversation becomes the JSON that it was read
 * from, also if this has more than the item shows.
 */
export function toKnownJson(items: readonly AgentInputItem[], known: readonly Json[]): Json[] {
  const byItem = new Map(known.map((json) => [keyOf(toJson([fromJson(json)])[0]), json]));
  return toJson(items).map((json) => byItem.get(keyOf(json)) ?? json);
}

/** Returns a text that is the same for equal JSON, whatever the order of its names. */
const keyOf = (json: Json | undefined): string =>
  JSON.stringify(json, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
