import { expect, test } from '@jest/globals';
import {
  type ConversationCommand,
  conversationDecider,
} from '#domain/conversation/conversation.decider.js';
import { itemCount, runsIn } from '#domain/conversation/item-runs.js';
import { ITEM_BYTES, REQUEST_ITEMS } from '#domain/conversation/limits.js';
import { givenFor } from '#test/domain/given.js';

const given = givenFor(conversationDecider, 'conversation-1');
const at = '2026-01-01T00:00:00.000Z';
const conversation = { conversation_id: 'chat-1', owner: { sub: 'a', user_id: null } };
const held = (...values: readonly string[]) => values.map((value) => ({ value }));

const append = (...values: readonly string[]): ConversationCommand => ({
  type: 'append',
  conversation,
  items: held(...values),
  at,
});
const replace = (from: number, to: number, ...values: readonly string[]): ConversationCommand => ({
  type: 'replace',
  operation_id: `${from}-${to}`,
  from,
  to,
  items: held(...values),
  at,
});
const pop: ConversationCommand = { type: 'pop', at };
const clear: ConversationCommand = { type: 'clear', conversation, at };

test('N4 the first event names the conversation and its owner, and later events do not repeat them', () => {
  given()
    .when(append('a', 'b'), append('c'))
    .then(
      {
        type: 'conversation_items_appended',
        data: { conversation, at, items: held('a', 'b') },
      },
      { type: 'conversation_items_appended', data: { at, items: held('c') } },
    );
});

test('N4 a pop names the event and the place of the last item', () => {
  const outcome = given().when(append('a', 'b'), append('c'), pop, pop);
  expect(outcome.events().slice(2)).toStrictEqual([
    { type: 'conversation_popped', data: { at, popped: { index: 2, event: 1, place: 0 } } },
    { type: 'conversation_popped', data: { at, popped: { index: 1, event: 0, place: 1 } } },
  ]);
  expect(itemCount(outcome.state().last)).toBe(1);
});

test('I7 a pop of an empty conversation leaves an event, so a late retry still gets its first answer', () => {
  given()
    .when(clear, pop)
    .then(
      { type: 'conversation_cleared', data: { conversation, at } },
      { type: 'conversation_popped', data: { at, popped: null } },
    );
});

test('N4 a replacement keeps the items before and after its range', () => {
  const { last } = given()
    .when(append('a', 'b', 'c'), append('d', 'e'), replace(1, 4, 'x', 'y'))
    .state();
  expect(runsIn(last, { from: 0, to: 5 })).toStrictEqual([
    { event: 0, place: 0, count: 1 },
    { event: 2, place: 0, count: 2 },
    { event: 1, place: 1, count: 1 },
  ]);
});

test('N4 a replacement outside of the conversation is refused', () => {
  given()
    .when(append('a'), replace(0, 2, 'b'))
    .thenRefused('INVALID_INPUT');
  given()
    .when(append('a'), replace(1, 0, 'b'))
    .thenRefused('INVALID_INPUT');
  given()
    .when(append('a'), replace(2, 2, 'b'))
    .thenRefused('INVALID_INPUT');
});

test('N4 an append without items, with too many, or with a large one is refused', () => {
  given().when(append()).thenRefused('INVALID_INPUT');
  given()
    .when(append(...Array.from({ length: REQUEST_ITEMS + 1 }, () => 'a')))
    .thenRefused('INVALID_INPUT');
  given()
    .when(append('a'.repeat(ITEM_BYTES)))
    .thenRefused('INVALID_INPUT');
  given()
    .when(append('a'.repeat(ITEM_BYTES - 2)))
    .thenTypes('conversation_items_appended');
});

test('every recorded event leads back to its command', () => {
  const outcome = given().when(append('a', 'b'), replace(0, 1, 'c'), pop, clear);
  const again = given().when(
    ...outcome.events().map((event) => conversationDecider.commandOf(event)),
  );
  expect(again.events()).toStrictEqual(outcome.events());
});
