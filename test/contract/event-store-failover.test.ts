import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectEventStore, type EventStoreOptions } from '#event-store/event-store-db.js';
import {
  AmbiguousAppend,
  type Appended,
  type EventStore,
  type EventToAppend,
  EventStoreUnavailable,
  type LoggedEvent,
} from '#event-store/event-store.js';
import { freePort } from '#test/support/free-port.js';
import {
  ELECTION,
  eventAt,
  notLeader,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  success,
} from './event-store-scripted-server.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  closing.push(() => server.stop());
  return server;
}

function connected(ports: readonly number[], options: EventStoreOptions = {}): EventStore {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const store = connectEventStore(`esdb://${hosts}?tls=false`, options);
  closing.push(() => store.close());
  return store;
}

/** The default of `connectEventStore`. */
const APPEND_TIMEOUT_MS = 5000;

const noted = (): EventToAppend => ({
  id: randomUUID(),
  type: 'noted',
  data: {},
  metadata: {} as EventToAppend['metadata'],
});

/** A node that answers reads with one event at this position, and acknowledges appends with it. */
const holding = (position: number) =>
  ({
    onRead: (call) => {
      call.write(eventAt(position));
      call.end();
    },
    onAppend: (request, call) => call.write(success(request, position)),
  }) satisfies Script;

/** Appends as a command does: after a failure it reads, waits and tries again. Returns the ms that it took. */
async function timeToAppend(store: EventStore): Promise<number> {
  const begun = performance.now();
  const events = [noted()];
  for (;;) {
    const appended = await store
      .append('a', 'no_stream', events)
      .catch(async (cause: unknown): Promise<Appended | undefined> => {
        if (!(cause instanceof AmbiguousAppend || cause instanceof EventStoreUnavailable))
          throw cause;
        await store.lastOf('a').catch(() => undefined);
        await delay(100);
        return undefined;
      });
    if (appended !== undefined) return performance.now() - begun;
  }
}

describe('A failover', () => {
  it('a read that decides is not answered by a follower that is three events behind', async () => {
    const leader = await start(holding(10));
    const follower = await start({ ...holding(7), refusal: () => notLeader(leader.port) });
    const store = connected([follower.port]);
    expect((await store.lastOf('a'))?.number).toBe(10);
    expect((await store.append('a', 'no_stream', [noted()])).revision).toBe(10);
  });

  it('reads and appends move to the new leader when their node has become a follower', async () => {
    let isLeader = true;
    const second = await start(holding(2));
    const first = await start({
      ...holding(1),
      refusal: () => (isLeader ? undefined : notLeader(second.port)),
    });
    const store = connected([first.port]);
    expect((await store.append('a', 'no_stream', [noted()])).revision).toBe(1);
    isLeader = false;
    expect((await store.lastOf('a'))?.number).toBe(2);
    expect((await store.append('a', 'no_stream', [noted()])).revision).toBe(2);
  });

  for (const election of ELECTION)
    it(`while the nodes answer "${election.details}", a read waits for the leader`, async () => {
      let hasLeader = false;
      const node: ScriptedServer = await start({
        ...holding(3),
        refusal: () => (hasLeader ? undefined : election),
        leaderPort: () => node.port,
      });
      const store = connected([node.port, node.port]);
      setTimeout(() => (hasLeader = true), 500);
      expect((await store.lastOf('a'))?.number).toBe(3);
    });

  it('a read fails after its timeout if no leader is elected, and names the reason', async () => {
    const node = await start({ ...holding(3), refusal: () => ELECTION[0] });
    const store = connected([node.port], { readTimeoutMs: 500 });
    await expect(store.lastOf('a')).rejects.toThrow(/no answer in 500 ms; .*Server Is Not Ready/);
  });

  it('the client uses the other seeds if the first of three is gone for good', async () => {
    const leader: ScriptedServer = await start({ ...holding(4), leaderPort: () => leader.port });
    const store = connected([await freePort(), leader.port, leader.port]);
    expect((await store.lastOf('a'))?.number).toBe(4);
  });

  /** Two nodes, of which the first leads. `elect` makes the second one the leader. */
  async function twoNodes(isSilent: () => boolean) {
    let leaderPort: number | undefined;
    const { onRead, onAppend } = holding(1);
    const first = await start({
      leaderPort: () => leaderPort,
      onRead: (call) => (isSilent() ? undefined : onRead(call)),
      onAppend: (request, call) => (isSilent() ? undefined : onAppend(request, call)),
    });
    const second = await start({ ...holding(2), leaderPort: () => leaderPort });
    leaderPort = first.port;
    const store = connected([first.port, second.port]);
    expect((await store.append('a', 'no_stream', [noted()])).revision).toBe(1);
    leaderPort = undefined;
    setTimeout(() => (leaderPort = second.port), 2000);
    return { first, store };
  }

  it('if the leader is killed and another one is elected 2 s later, the next append is acknowledged without waiting for a timeout', async () => {
    const { first, store } = await twoNodes(() => false);
    first.stop();
    expect(await timeToAppend(store)).toBeLessThan(APPEND_TIMEOUT_MS);
  });

  it('if the leader says that it stops (GOAWAY) and never answers what it has, appends, reads and subscriptions move', async () => {
    let leaderPort: number | undefined;
    let onReached = (): void => undefined;
    const never = 3_600_000;
    let isStopping = false;
    const { onRead } = holding(1);
    const first = await start({
      leaderPort: () => leaderPort,
      onRead: (call) => (isStopping ? undefined : onRead(call)),
      onAppend: () => onReached(),
    });
    const second = await start({
      ...holding(2),
      leaderPort: () => leaderPort,
      onSubscribe: (call) => call.write(eventAt(9)),
    });
    leaderPort = first.port;
    const options = { appendTimeoutMs: never, readTimeoutMs: never, silenceMs: never };
    const store = connected([first.port, second.port], options);
    const arrived = new Promise<LoggedEvent>((resolve) => {
      store.subscribe({ after: undefined, onEvents: async ([event]) => resolve(event!) });
    });
    await store.ping();
    const reached = new Promise<void>((resolve) => (onReached = resolve));
    const append = store.append('a', 'no_stream', [noted()]);
    await reached;
    isStopping = true;
    const read = store.lastOf('a');
    leaderPort = second.port;
    first.stopGently();
    await expect(append).rejects.toThrow(AmbiguousAppend);
    expect((await read)?.number).toBe(2);
    expect((await store.append('a', 'no_stream', [noted()])).revision).toBe(2);
    expect((await arrived).position).toBe(9n);
  });

  it('if the leader falls silent and another one is elected 2 s later, the next append is acknowledged after one timeout', async () => {
    let isSilent = false;
    const { store } = await twoNodes(() => isSilent);
    isSilent = true;
    expect(await timeToAppend(store)).toBeLessThan(2 * APPEND_TIMEOUT_MS);
  });
});
