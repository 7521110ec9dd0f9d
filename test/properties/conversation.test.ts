import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ConversationCommand,
  conversationDecider,
} from '#domain/conversation/conversation.decider.js';
import type { ConversationEvent } from '#domain/conversation/events.js';
import { itemCount, runsIn } from '#domain/conversation/item-runs.js';
import type { ConversationState } from '#domain/conversation/state.js';
import type { Held } from '#domain/held.js';
import { playFor } from '#test/domain/given.js';

const at = '2026-01-01T00:00:00.000Z';
const items = fc.array(
  fc.integer().map((value): Held => ({ value })),
  { maxLength: 4 },
);
const command = fc.oneof(
  items.map((list): ConversationCommand => ({ type: 'append', items: list, at })),
  fc.tuple(fc.nat(12), fc.nat(4), items).map(([from, length, list]): ConversationCommand => ({
    type: 'replace',
    operation_id: 'op',
    from,
    to: from + length,
    items: list,
    at,
  })),
  fc.constantFrom<ConversationCommand>({ type: 'pop', at }, { type: 'clear', at }),
);
const play = playFor(conversationDecider, 'conversation-1');

/** The items as a plain list, from the events that were accepted. */
function listed(events: readonly ConversationEvent[]): Held[] {
  const list: Held[] = [];
  for (const { type, data } of events) {
    if (type === 'conversation_items_appended') list.push(...data.items);
    else if (type === 'conversation_items_replaced')
      list.splice(data.from, data.to - data.from, ...data.items);
    else if (type === 'conversation_popped') list.pop();
    else list.length = 0;
  }
  return list;
}

/** The items of a range, from the events that the state names. */
const itemsOf = (
  events: readonly ConversationEvent[],
  { last }: ConversationState,
  range: { readonly from: number; readonly to: number },
): Held[] =>
  runsIn(last, range).flatMap(({ event, place, count }) => {
    const recorded = events[event];
    return recorded !== undefined && 'items' in recorded.data
      ? recorded.data.items.slice(place, place + count)
      : [];
  });

test('N4 the runs of the state name exactly the items of a plain list, in each range', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), fc.nat(20), fc.nat(20), (commands, a, b) => {
      const { events, state } = play(commands);
      const list = listed(events);
      expect(itemCount(state.last)).toBe(list.length);
      const range = { from: Math.min(a, b), to: Math.min(Math.max(a, b), list.length) };
      expect(itemsOf(events, state, range)).toStrictEqual(
        list.slice(range.from, Math.max(range.from, range.to)),
      );
    }),
  );
});

test('N4 a pop names the item that a plain list would lose', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const { events } = play([...commands, { type: 'pop', at }]);
      const list = listed(events.slice(0, -1));
      const popped = events.at(-1)?.data as { popped: { event: number; place: number } | null };
      const source = popped.popped === null ? undefined : events[popped.popped.event];
      const item =
        source !== undefined && 'items' in source.data
          ? source.data.items[popped.popped?.place ?? -1]
          : undefined;
      expect(item).toStrictEqual(list.at(-1));
    }),
  );
});
