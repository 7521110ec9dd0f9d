import type { AnsweredBy, Decider } from '../decider.js';
import type { Held } from '../held.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import {
  type ConversationEvent,
  conversationSchemas,
  type ConversationName,
  type PoppedItem,
} from './events.js';
import { itemCount, runCount } from './item-runs.js';
import { checkItems, invalid } from './limits.js';
import {
  conversationJson,
  type ConversationState,
  evolveConversation,
  initialConversation,
} from './state.js';

/** The caller's change; `conversation` is recorded by the first one. */
export type ConversationCommand = AnsweredBy<ConversationAnswer> & {
  readonly conversation?: ConversationName;
  readonly at: string;
} & (
    | { readonly type: 'append'; readonly items: readonly Held[] }
    | {
        readonly type: 'replace';
        readonly operation_id: string;
        readonly from: number;
        readonly to: number;
        readonly items: readonly Held[];
      }
    | { readonly type: 'pop' | 'clear' }
  );

/** The answer to a change. */
export type ConversationChanged = {
  /** The number of items. */
  readonly count: number;
  /** The number of the conversation's events. */
  readonly version: number;
};

/** The answer to a change; a pop also names the item that it has removed, if there was one. */
export type ConversationAnswer = ConversationChanged & {
  /** The index of the first new item, of the popped one, or of the end. */
  readonly index?: number;
  readonly popped?: PoppedItem | null;
};

function decide(command: ConversationCommand, state: ConversationState): ConversationEvent[] {
  const count = itemCount(state.last);
  const { conversation } = command;
  const isFirst = state.eventCount === 0 && conversation !== undefined;
  const common = {
    ...(isFirst ? { conversation } : {}),
    at: normalizeTimestamp(command.at),
  };
  switch (command.type) {
    case 'append': {
      const { items } = command;
      if (items.length === 0) throw invalid('items: at least one is needed');
      checkItems(items, count + items.length);
      return [{ type: 'conversation_items_appended', data: { ...common, items } }];
    }
    case 'replace': {
      const { operation_id, from, to, items } = command;
      if (from > to || to > count)
        throw invalid(`from, to: the conversation has items 0 to ${count}, in this order`);
      checkItems(items, count - (to - from) + items.length);
      const data = { ...common, operation_id, from, to, items };
      return [{ type: 'conversation_items_replaced', data }];
    }
    // Without an item to remove, the event still keeps the answer for a retry of the command (SPEC I7).
    case 'pop':
      return [{ type: 'conversation_popped', data: { ...common, popped: lastItem(state) } }];
    case 'clear':
      return [{ type: 'conversation_cleared', data: common }];
  }
}

function lastItem({ last }: ConversationState) {
  if (last === undefined) return null;
  const { event, place, count, items } = last;
  return { index: items - 1, event, place: place + count - 1 };
}

function commandOf(event: ConversationEvent): ConversationCommand {
  switch (event.type) {
    case 'conversation_items_appended':
      return { type: 'append', ...event.data };
    case 'conversation_items_replaced':
      return { type: 'replace', ...event.data };
    case 'conversation_popped': {
      const { popped: _, ...data } = event.data;
      return { type: 'pop', ...data };
    }
    case 'conversation_cleared':
      return { type: 'clear', ...event.data };
  }
}

function resultOf(
  event: ConversationEvent,
  { last, eventCount }: ConversationState,
): ConversationAnswer {
  const changed = { count: itemCount(last), version: eventCount };
  switch (event.type) {
    case 'conversation_items_appended':
      return { ...changed, index: changed.count - event.data.items.length };
    case 'conversation_items_replaced':
      return { ...changed, index: event.data.from };
    case 'conversation_popped':
      return { ...changed, popped: event.data.popped };
    case 'conversation_cleared':
      return changed;
  }
}

const STATE_SIZE = 256;
const RUN_SIZE = 64;

/** One conversation, in `conversation-<HMAC of owner and id>` (SPEC N4). */
export const conversationDecider: Decider<
  ConversationState,
  ConversationCommand,
  ConversationEvent
> = {
  category: 'conversation',
  schemas: conversationSchemas,
  initialState: initialConversation,
  evolve: evolveConversation,
  decide,
  commandOf,
  resultOf,
  sizeOf: ({ last }) => STATE_SIZE + RUN_SIZE * runCount(last),
  stateJson: conversationJson,
};
