import { afterEach, describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { startPosition } from '#apps/api/events/start-position.js';
import { LogTail } from '#apps/api/events/log-tail.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { type EventStore, NoSuchPosition } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { Feed } from '#read-model/feed.js';
import { startOwnEventStore } from '#test/support/servers.js';
import { eventAt, type Reads, startScriptedServer } from './event-store-scripted-server.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The positions of a log on EventStoreDB, which are offsets in its files. */
const POSITIONS = [400, 900, 1700];
const NO_POSITION = { code: status.INVALID_ARGUMENT, details: 'Invalid position' };

function requiresPosition(call: Reads, position: string | undefined): boolean {
  if (position === undefined || POSITIONS.includes(Number(position))) return true;
  call.emit('error', NO_POSITION);
  return false;
}

/** Connects to a server that, as EventStoreDB does, refuses to read from a number that is not a position. */
async function connected(): Promise<EventStore> {
  const server = await startScriptedServer({
    onRead: (call) => {
      const all = call.request.getOptions()?.getAll();
      if (!requiresPosition(call, all?.getPosition()?.getCommitPosition())) return;
      call.write(eventAt(POSITIONS.at(-1)!));
      call.end();
    },
    onSubscribe: (call, after) => {
      if (!requiresPosition(call, after)) return;
      for (const position of POSITIONS)
        if (position > Number(after ?? -1)) call.write(eventAt(position));
    },
  });
  closing.push(() => server.stop());
  const store = connectEventStore(server.url, { silenceMs: 60_000 });
  closing.push(() => store.close());
  return store;
}

describe('A read from a number that is not a position of the log', () => {
  it('ends the read of the whole log and a subscription with NoSuchPosition, and is not tried again', async () => {
    const store = await connected();
    const read = async (): Promise<void> => {
      for await (const _ of wholeLog(store, 1700n, undefined, 500n));
    };
    await expect(read()).rejects.toThrow(NoSuchPosition);
    const again: unknown[] = [];
    const cause = await new Promise<unknown>((onStopped) => {
      store.subscribe({
        after: 500n,
        onEvents: async () => undefined,
        onResubscribe: (failure) => again.push(failure),
        onStopped,
      });
    });
    expect(cause).toBeInstanceOf(NoSuchPosition);
    expect(again).toStrictEqual([]);
  });

  it('is INVALID_INPUT for a stream of events, which says what to do', async () => {
    const store = await connected();
    expect(await startPosition(store, undefined, '900', 1700n)).toBe(900n);
    for (const [lastEventId, after, field] of [
      [901n, undefined, 'Last-Event-ID'],
      [undefined, '901', 'after'],
    ] as const)
      await expect(startPosition(store, lastEventId, after, 1700n)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        facts: { reason: expect.stringMatching(`^${field}: is not a position .* begin again`) },
      });
  });

  it('ends a stream of events that is open while the event store gets another log', async () => {
    const store = await connected();
    const broken: EventStore = Object.create(store, {
      subscribe: {
        value: (options: object) => store.subscribe({ ...options, after: 901n } as never),
      },
    }) as EventStore;
    for (const name of ['lastPosition', 'readStream'] as const)
      Object.defineProperty(broken, name, { value: store[name].bind(store) });
    const pages = new LogTail(broken).follow(1700n, () => [] as never, AbortSignal.timeout(60_000));
    await expect(pages.next()).rejects.toThrow(NoSuchPosition);
  });

  it('stops the projector with a sentence', async () => {
    const store = await connected();
    const feed = new Feed(store, 901n, { write: async () => undefined });
    await expect(feed.failed).rejects.toThrow(/no position 901\. .*begin again without it/);
    await feed.stop();
  });

  it('is refused by the embedded event store, too', async () => {
    const server = await startOwnEventStore();
    closing.push(() => server.stop());
    const store = connectEventStore(server.url);
    closing.push(() => store.close());
    await expect(store.eventAt(1n)).rejects.toThrow(NoSuchPosition);
    const { position } = await store.append('a', 'no_stream', [
      {
        id: '00000000-0000-4000-8000-000000000001',
        type: 'noted',
        data: {},
        metadata: {} as never,
      },
    ]);
    await store.eventAt(position);
    await expect(store.eventAt(position + 1n)).rejects.toThrow(NoSuchPosition);
  });
});
