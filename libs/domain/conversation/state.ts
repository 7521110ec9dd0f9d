import type { Json } from '../json.js';
import type { ConversationEvent, ConversationName } from './events.js';
import { cut, type ItemRun, itemCount, linked, runsIn } from './item-runs.js';

/** A conversation without its items: the state names the events that hold them. */
export interface ConversationState {
  /** Undefined before the first event. */
  readonly conversation: ConversationName | undefined;
  readonly eventCount: number;
  /** How often the conversation was cleared. It follows from the events, so it is not in the state's JSON. */
  readonly clears: number;
  /** The last run of items; undefined if there are no items. */
  readonly last: ItemRun | undefined;
}

export const initialConversation = (): ConversationState => ({
  conversation: undefined,
  eventCount: 0,
  clears: 0,
  last: undefined,
});

export function evolveConversation(
  state: ConversationState,
  event: ConversationEvent,
): ConversationState {
  const conversation = state.conversation ?? event.data.conversation;
  const last = lastAfter(state, event);
  const clears = state.clears + (event.type === 'conversation_cleared' ? 1 : 0);
  return { conversation, eventCount: state.eventCount + 1, clears, last };
}

function lastAfter(
  { last, eventCount }: ConversationState,
  event: ConversationEvent,
): ItemRun | undefined {
  switch (event.type) {
    case 'conversation_items_appended':
      return linked(last, { event: eventCount, place: 0, count: event.data.items.length });
    case 'conversation_items_replaced': {
      const { from, to, items } = event.data;
      const kept = runsIn(last, { from: to, to: itemCount(last) });
      const added = { event: eventCount, place: 0, count: items.length };
      return [added, ...kept].reduce(linked, cut(last, from));
    }
    case 'conversation_popped':
      return cut(last, Math.max(0, itemCount(last) - 1));
    case 'conversation_cleared':
      return undefined;
  }
}

/** Returns the state as JSON, with the runs oldest first. */
export const conversationJson = ({ last, eventCount, conversation }: ConversationState): Json => ({
  conversation: conversation === undefined ? null : { ...conversation },
  event_count: eventCount,
  runs: runsIn(last, { from: 0, to: itemCount(last) }).map(({ event, place, count }) => [
    event,
    place,
    count,
  ]),
});
