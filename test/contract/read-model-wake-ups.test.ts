import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { connectEventStore } from '#event-store/event-store-db.js';
import type {
  EventStore,
  LoggedEvent,
  SubscribeOptions,
  Subscription,
} from '#event-store/event-store.js';
import { Feed } from '#read-model/feed.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { startOwnEventStore, type OwnServer } from '#test/support/servers.js';
import { tries } from '#test/support/tries.js';
import { eventAt } from './read-model-world.js';

/** Longer than a test may take: a caller that waits for this has missed a wake-up. */
const NEVER_MS = 3_600_000;
const NAMES = ['first', 'second'] as const;

const postgres = new Postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
// Nobody is woken by a poll.
Object.defineProperty(postgres, 'query', { value: () => new Promise(() => undefined) });
Object.defineProperty(postgres, 'connect', { value: () => Promise.reject(new Error('none')) });

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnEventStore();
});
afterAll(async () => {
  await server.stop();
  await postgres.close();
});

/** An event arrives, or a caller begins to wait for what has arrived; then some time passes. */
const step = fc.record({
  kind: fc.constantFrom<('event' | 'checkpoint' | 'wait')[]>('event', 'checkpoint', 'wait', 'wait'),
  name: fc.constantFrom(...NAMES),
  pauseMs: fc.constantFrom(0, 0, 1, 5, 20, 49, 50, 51),
  writeMs: fc.constantFrom(0, 0, 1, 10, 60),
});

test('every caller that waits for what has arrived is woken, although nothing arrives afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const watch = new PositionWatch(postgres);
      let options: SubscribeOptions | undefined;
      const subscription: Subscription = { stop: async () => undefined };
      const log = {
        subscribe: (given: SubscribeOptions) => {
          options = given;
          return subscription;
        },
      } as Partial<EventStore> as EventStore;
      let writeMs = 0;
      const write = async (names: Iterable<string>, position: bigint): Promise<void> => {
        await delay(writeMs);
        for (const name of names) watch.passed(name, position);
      };
      const feed = new Feed(
        log,
        undefined,
        {
          write: ({ position }) => write(NAMES, position),
          writeTo: (names, { position }) => write(names, position),
        },
        watch,
      );
      let position = 0n;
      let received: Promise<unknown> = Promise.resolve();
      const waiters: Promise<void>[] = [];
      const happens = {
        event: (at: bigint) => {
          position = at;
          const event: LoggedEvent = { ...eventAt(Number(at)), position: at };
          received = received.then(() => options!.onEvents([event]));
        },
        checkpoint: (at: bigint) => {
          position = at;
          received = received.then(() => options!.onCheckpoint!(at));
        },
        wait: (_: bigint, name: string) =>
          void waiters.push(watch.waitFor([name], position, NEVER_MS)),
      };
      happens.event(1n);
      for (const { kind, name, pauseMs, ...next } of steps) {
        writeMs = next.writeMs;
        happens[kind](position + 1n, name);
        if (pauseMs > 0) await delay(pauseMs);
      }
      for (const name of NAMES) happens.wait(position, name);
      await Promise.all([received, ...waiters]);
      await feed.stop();
    }),
    { numRuns: tries(100) },
  );
});

test('a subscription gets each of a thousand events at once, although nothing is appended after it', async () => {
  const store = connectEventStore(server.url, { silenceMs: NEVER_MS });
  let arrived: (position: bigint) => void = () => undefined;
  const subscription = store.subscribe({
    after: undefined,
    onEvents: async (events) => arrived(events.at(-1)!.position),
  });
  let latest = -1n;
  for (let number = 0; number < 1000; number += 1) {
    const seen = new Promise<bigint>((resolve) => (arrived = resolve));
    const { position } = await store.append('wake-ups', number === 0 ? 'no_stream' : number - 1, [
      {
        id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
        type: 'noted',
        data: {},
        metadata: {} as never,
      },
    ]);
    latest = await seen;
    expect(latest).toBe(position);
  }
  await subscription.stop();
  await store.close();
});
