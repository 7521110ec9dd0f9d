import { type EventSchema, input } from '../decider.js';
import type { Held } from '../held.js';
import type { JobOwner } from '../job/events.js';

/** Every event of `conversation-<HMAC of owner and id>` (SPEC N4). */
export type ConversationEvent =
  | { readonly type: 'conversation_items_appended'; readonly data: ItemsAppended }
  | { readonly type: 'conversation_items_replaced'; readonly data: ItemsReplaced }
  | { readonly type: 'conversation_popped'; readonly data: Popped }
  | { readonly type: 'conversation_cleared'; readonly data: Cleared };

/** The conversation that a stream holds, whose name is an HMAC. */
export type ConversationName = {
  readonly conversation_id: string;
  readonly owner: JobOwner;
};

/** Only the first event of a stream has `conversation`. */
type Opening = { readonly conversation?: ConversationName };

export type ItemsAppended = Opening & {
  readonly items: readonly Held[];
  /** The wall-clock time, recorded as input. */
  readonly at: string;
};

/** The items from index `from` to before index `to` were replaced. */
export type ItemsReplaced = Opening & {
  /** The caller's id of the change. A change with the same id happens once. */
  readonly operation_id: string;
  readonly from: number;
  readonly to: number;
  readonly items: readonly Held[];
  readonly at: string;
};

export type Popped = Opening & {
  /** The removed item, which was the last one; null if the conversation was empty. */
  readonly popped: PoppedItem | null;
  readonly at: string;
};

/** An item, by its index in the conversation, the event that holds it, and its place in that event. */
export type PoppedItem = {
  readonly index: number;
  readonly event: number;
  readonly place: number;
};

type Cleared = Opening & { readonly at: string };

export const conversationSchemas: Readonly<Record<ConversationEvent['type'], EventSchema>> = {
  conversation_items_appended: input,
  conversation_items_replaced: input,
  conversation_popped: input,
  conversation_cleared: input,
};

/** True for the events whose `items` can hold personal data, sealed. */
export const addsConversationItems = (type: string): boolean =>
  type === 'conversation_items_appended' || type === 'conversation_items_replaced';
