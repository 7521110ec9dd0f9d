import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { ConversationItems } from '#apps/api/conversations/conversation-items.js';
import {
  type ConversationCommand,
  conversationDecider,
} from '#domain/conversation/conversation.decider.js';
import { itemCount } from '#domain/conversation/item-runs.js';
import type { Held } from '#domain/held.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { named } from '#test/support/named.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';
import { tries } from '#test/support/tries.js';

const at = '2026-01-01T00:00:00.000Z';
let server: TestServer;
let log: EventStore;

beforeAll(async () => {
  server = await startTestEventStore();
  log = connectEventStore(server.url);
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

type Step =
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'pop' | 'replace' }
  /** So many appends that are popped at once: events that hold no item. */
  | { readonly kind: 'gap'; readonly length: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constantFrom('pop' as const, 'replace' as const) }),
  fc.record({ kind: fc.constant('gap' as const), length: fc.constantFrom(1, 40, 70) }),
);

/** Returns the commands of a step, and changes the plain list in the same way. */
function commandsOf(one: Step, list: Held[]): ConversationCommand[] {
  const held = (count: number): Held[] =>
    Array.from({ length: count }, () => ({ value: randomUUID() }));
  switch (one.kind) {
    case 'append': {
      const items = held(one.count);
      list.push(...items);
      return [{ type: 'append', items, at }];
    }
    case 'pop':
      list.pop();
      return [{ type: 'pop', at }];
    case 'replace': {
      const [from, to] = [Math.floor(list.length / 3), Math.floor(list.length / 2)];
      const items = held(2);
      list.splice(from, to - from, ...items);
      return [{ type: 'replace', operation_id: randomUUID(), from, to, items, at }];
    }
    case 'gap':
      return Array.from({ length: one.length }, () => [
        { type: 'append' as const, items: held(1), at },
        { type: 'pop' as const, at },
      ]).flat();
  }
}

test('N4 a range of a recorded conversation is the same range of a plain list, whatever was removed between', async () => {
  const store = new AggregateStore(log, conversationDecider, { writeFailure: 'MEMORY_WRITE_FAIL' });
  const items = new ConversationItems(log);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.nat(30),
      fc.nat(30),
      async (steps, a, b) => {
        runs += 1;
        const stream = `conversation-${named('range')}-${runs}`;
        const list: Held[] = [];
        const commands = steps.flatMap((one) => commandsOf(one, list));
        const identity = { command_id: randomUUID(), body_hash: '', actor: 'a', trace_id: 't' };
        if (commands.length > 0) await store.execute(stream, commands, identity);
        const { last } = (await store.load(stream)).state;
        expect(itemCount(last)).toBe(list.length);
        const to = Math.min(Math.max(a, b), list.length);
        const from = Math.min(a, b, to);
        const read = await items.read(stream, last, { from, to });
        expect(read.map(({ held }) => held)).toStrictEqual(list.slice(from, to));
        expect(read.map(({ index }) => index)).toStrictEqual(
          list.slice(from, to).map((_, place) => from + place),
        );
      },
    ),
    { numRuns: tries(40) },
  );
});
