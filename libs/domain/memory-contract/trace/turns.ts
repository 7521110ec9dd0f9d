import type { InteractionRecorded, MemoryEvent, MemoryTrace } from '../events.js';
import type { MemoryItem } from '../item.js';
import { isTrace } from './trace.js';

/** An event of a store, with its number and the time at which it was recorded. */
export interface TimedEvent {
  readonly number: number;
  readonly recorded_at: string;
  readonly event: MemoryEvent;
}

/** The types of the events that begin a turn: the inputs, without the last step of an interaction, which belongs to its turn. */
export const TURN_TYPES = [
  'interaction_recorded',
  'recall_asked',
  'promotion_received',
  'retention_applied',
] as const satisfies readonly MemoryEvent['type'][];
export type TurnType = (typeof TURN_TYPES)[number];

/** A part of an event, with the number of the event. */
export interface Numbered<Part> {
  readonly number: number;
  readonly of: Part;
}

/** What a request did in a store: its input, and what the rules decided. */
export interface Turn {
  /** The number of the first event. */
  readonly number: number;
  readonly recorded_at: string;
  /** `interaction_finished` if the interaction itself stands before the events that were given. */
  readonly type: TurnType | 'interaction_finished';
  readonly policy_hash: string | undefined;
  /** The interaction; undefined for the other types. */
  readonly interaction: InteractionRecorded | undefined;
  readonly stored: readonly Numbered<MemoryItem>[];
  readonly decisions: readonly Numbered<MemoryTrace>[];
  /** The number of the last event of the turn. */
  readonly last: number;
}

export const beginsTurn = ({ type }: MemoryEvent): boolean =>
  TURN_TYPES.some((begins) => begins === type);

/**
 * Groups events of a store, oldest first, into turns. Outcomes before the first input are left out. The last step of a
 * promotion goes to the turn that requested it, also if others came in between.
 */
export function turnsOf(events: Iterable<TimedEvent>): readonly Turn[] {
  const turns: TurnInMaking[] = [];
  const promoting = new Map<string, TurnInMaking>();
  let current: TurnInMaking | undefined;
  for (const { number, recorded_at, event } of events) {
    if (event.type === 'interaction_finished' || isBegin(event)) {
      const going =
        event.type === 'interaction_finished' ? promoting.get(event.data.promotion_id) : undefined;
      current = going ?? begun(number, recorded_at, event);
      if (going === undefined) turns.push(current);
    }
    if (current === undefined) continue;
    current.last = number;
    if (event.type === 'promotion_requested') promoting.set(event.data.promotion_id, current);
    if (event.type === 'item_stored') current.stored.push({ number, of: event.data.item });
    if (isTrace(event)) current.decisions.push({ number, of: event });
  }
  return turns;
}

interface TurnInMaking extends Turn {
  readonly stored: Numbered<MemoryItem>[];
  readonly decisions: Numbered<MemoryTrace>[];
  last: number;
}

type Begin = Extract<MemoryEvent, { type: TurnType | 'interaction_finished' }>;

const isBegin = (event: MemoryEvent): event is Begin => beginsTurn(event);

const begun = (number: number, recorded_at: string, event: Begin): TurnInMaking => ({
  ...{ number, recorded_at, type: event.type, last: number, stored: [], decisions: [] },
  policy_hash: event.type === 'interaction_finished' ? undefined : event.data.policy_hash,
  interaction: event.type === 'interaction_recorded' ? event.data : undefined,
});
