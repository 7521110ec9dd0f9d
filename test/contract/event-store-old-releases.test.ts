import { afterEach, describe, expect, it } from '@jest/globals';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { setTimeout as delay } from 'node:timers/promises';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, SubscribeOptions } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { eventAt, type Script, startScriptedServer } from './event-store-scripted-server.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function connectTo(script: Script): Promise<EventStore> {
  const server = await startScriptedServer(script);
  closing.push(() => server.stop());
  const store = connectEventStore(server.url, { silenceMs: 60_000 });
  closing.push(() => store.close());
  return store;
}

const checkpointAt = (position: bigint) =>
  new streamsPb.ReadResp().setCheckpoint(
    new streamsPb.ReadResp.Checkpoint()
      .setCommitPosition(String(position))
      .setPreparePosition(String(position)),
  );

const caughtUp = () => new streamsPb.ReadResp().setCaughtUp(new streamsPb.ReadResp.CaughtUp());

const NOTHING_YET = 2n ** 64n - 1n;

/** Subscribes, and returns the list to which every position of an event or a checkpoint is added. */
function positionsOf(store: EventStore, options: Partial<SubscribeOptions> = {}): bigint[] {
  const positions: bigint[] = [];
  store.subscribe({
    after: undefined,
    onEvents: async (events) => void positions.push(...events.map(({ position }) => position)),
    onCheckpoint: async (position) => void positions.push(position),
    ...options,
  });
  return positions;
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await delay(5);
}

describe('A server of a release before 24.10.6', () => {
  it('a subscription to an empty log takes no checkpoint, and delivers the first event when it comes', async () => {
    const store = await connectTo({
      onSubscribe: (call) => {
        call.write(checkpointAt(NOTHING_YET));
        call.write(caughtUp());
        setTimeout(() => call.write(eventAt(7)), 100);
      },
    });
    const positions = positionsOf(store);
    await until(() => positions.length > 0);
    expect(positions).toStrictEqual([7n]);
  });

  it('a subscription ignores a checkpoint that has not moved, and one that goes back', async () => {
    const store = await connectTo({
      onSubscribe: (call) => {
        [5n, 4n, 9n, 9n, NOTHING_YET, 8n, 10n].forEach((position, place) => {
          setTimeout(() => call.write(checkpointAt(position)), 20 * place);
        });
      },
    });
    const positions = positionsOf(store, { after: 5n });
    await until(() => positions.includes(10n));
    expect(positions).toStrictEqual([9n, 10n]);
  });

  it('reading the whole log ends where the log ends with system events, although no checkpoint says so', async () => {
    const store = await connectTo({
      onSubscribe: (call) => {
        call.write(eventAt(1));
        call.write(eventAt(2));
        call.write(checkpointAt(2n));
        call.write(caughtUp());
      },
    });
    const positions: bigint[] = [];
    for await (const events of wholeLog(store, 40n))
      positions.push(...events.map(({ position }) => position));
    expect(positions).toStrictEqual([1n, 2n]);
  });

  it('a position beyond 2^53 is kept exactly, in events and in checkpoints', async () => {
    const exact = 2n ** 53n + 1n;
    const event = eventAt(1);
    event.getEvent()!.getEvent()!.setCommitPosition(String(exact));
    const store = await connectTo({
      onSubscribe: (call) => {
        call.write(event);
        setTimeout(() => call.write(checkpointAt(exact + 2n)), 50);
      },
    });
    const positions = positionsOf(store);
    await until(() => positions.length === 2);
    expect(positions).toStrictEqual([exact, exact + 2n]);
  });
});
