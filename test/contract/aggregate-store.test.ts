import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Decider } from '#domain/decider.js';
import { AggregateStore, readRecorded } from '#event-store/aggregate-store.js';
import { UnreadableEvent } from '#domain/upcast.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import {
  AmbiguousAppend,
  type EventStore,
  EventStoreUnavailable,
  LogFull,
} from '#event-store/event-store.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';
import { randomUUID } from 'node:crypto';
import {
  add,
  chained,
  counter,
  type CounterCommand,
  type CounterEvent,
  counters,
  type CounterState,
  eventsOf,
  identity,
  newStream,
} from './aggregate-store-counter.js';
import { collected } from './event-store-collected.js';
import { startProxy } from '#test/support/proxy.js';
import { ensure } from '#test/support/ensure.js';

let server: TestServer;
let url: string;
let log: EventStore;

beforeAll(async () => {
  server = await startTestEventStore();
  ({ url } = server);
  log = connectEventStore(url);
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

const refusedWith = (code: string) => expect.objectContaining({ code });

describe('A command', () => {
  it('a command appends chained events that have seeded ids, seeded times and the identity of the command', async () => {
    const stream = newStream();
    const store = counters(log);
    const caller = { ...identity(), evidence: { caused_by: 'x' } };
    const first = await store.execute(stream, [add(4)], caller);
    const executed = await store.execute(stream, [add(6)], identity());
    expect([first.results, first.version]).toStrictEqual([[{ total: 4 }], 0]);
    expect([executed.results, executed.version]).toStrictEqual([[{ total: 10 }], 2]);
    const [added, , tenth] = await chained(log, stream);
    ensure(tenth?.type === 'ten_reached');
    expect(tenth.metadata.kind).toBe('outcome');
    expect(tenth.position).toBe(executed.position);
    ensure(added?.metadata.command_id === caller.command_id);
    expect(added.metadata.caused_by).toBe('x');
    expect(Date.parse(tenth.metadata.seeded_ts) - Date.parse(added.metadata.seeded_ts)).toBe(2);
  });

  it('a batch is executed completely or not at all, and returns one result for each command in order', async () => {
    const stream = newStream();
    const store = counters(log);
    const batch = [add(1), add(0), add(2), add(0)];
    const { results, version } = await store.execute(stream, batch, identity());
    expect([results, version]).toStrictEqual([[{ total: 1 }, null, { total: 3 }, null], 1]);
    const broken: CounterCommand[] = [add(1), { op: 'close', pages: 0, size: 0 }, add(1)];
    await expect(store.execute(stream, broken, identity())).rejects.toThrow(
      refusedWith('JOB_ENDED'),
    );
    expect((await store.load(stream)).state.total).toBe(3);
  });

  it('if several commands have the same command_index, the result at that index is that of the last command', async () => {
    const store = counters(log);
    const options = { indexes: [0, 0, 1] };
    const stream = newStream();
    const { results } = await store.execute(stream, [add(1), add(1), add(5)], identity(), options);
    expect(results).toStrictEqual([{ total: 2 }, { total: 7 }]);
  });

  it('a command that changes nothing appends nothing', async () => {
    const stream = newStream();
    const { after, ...executed } = await counters(log).execute(stream, [add(0)], identity());
    expect(executed).toStrictEqual({ results: [null], version: -1, position: 0n, repeated: false });
    expect(after.version).toBe(-1);
    expect(await eventsOf(log, stream)).toStrictEqual([]);
  });

  it('a command is decided on the events of another process as well, not only on the state in memory', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    await here.execute(stream, [add(1)], identity());
    await there.execute(stream, [{ op: 'close', pages: 0, size: 0 }], identity());
    await expect(here.execute(stream, [add(1)], identity())).rejects.toThrow(
      refusedWith('JOB_ENDED'),
    );
  });

  it('a command that is larger than one append is refused and leaves no event', async () => {
    const stream = newStream();
    const store = counters(log);
    const large: CounterCommand[] = Array.from({ length: 4 }, () => ({
      op: 'write',
      text: 'x'.repeat(250 * 1024),
    }));
    await expect(store.execute(stream, large, identity())).rejects.toThrow(
      refusedWith('INVALID_INPUT'),
    );
    await store.execute(stream, large.slice(0, 3), identity());
    expect((await store.load(stream)).version).toBe(2);
  });

  it('a command with an expected version is appended at that version or not at all', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    const once = { expectedVersion: -1 };
    await here.execute(stream, [add(1)], identity(), once);
    await expect(here.execute(stream, [add(1)], identity(), once)).rejects.toThrow(
      refusedWith('VERSION_CONFLICT'),
    );
    await there.execute(stream, [add(1)], identity(), { expectedVersion: 0 });
    // The store `here` has loaded the stream at version 0.
    await expect(
      here.execute(stream, [add(1)], identity(), { expectedVersion: 0 }),
    ).rejects.toThrow(refusedWith('VERSION_CONFLICT'));
    await here.execute(stream, [add(1)], identity(), { expectedVersion: 1 });
    const races = await Promise.allSettled(
      [here, there].map((store) =>
        store.execute(stream, [add(1)], identity(), { expectedVersion: 2 }),
      ),
    );
    expect(races.map(({ status }) => status).sort()).toStrictEqual(['fulfilled', 'rejected']);
  });

  it('a store that has loaded the stream reads nothing before an append', async () => {
    const stream = newStream();
    let reads = 0;
    const counting: EventStore = watched(log, { onRead: () => (reads += 1) });
    const store = counters(counting);
    await store.execute(stream, [add(1)], identity());
    const before = reads;
    for (let count = 0; count < 5; count += 1) await store.execute(stream, [add(1)], identity());
    expect(reads).toBe(before);
  });
});

describe('A command that is sent again', () => {
  it('a retry gets the first answer from any process, even after other events', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    const again = identity('the-key');
    const { after: _, ...first } = await here.execute(stream, [add(3)], again);
    for (const store of [here, there, counters(log)]) {
      await store.execute(stream, [add(1)], identity());
      const { repeated, after: __, ...answer } = await store.execute(stream, [add(3)], again);
      expect(repeated).toBe(true);
      expect({ ...answer, repeated: false }).toStrictEqual(first);
    }
    expect((await here.load(stream)).state.total).toBe(6);
  });

  it('a retry of a command that a hundred others have followed gets the first answer, from its own process and from a new one', async () => {
    const stream = newStream();
    const store = counters(log);
    await store.execute(stream, [add(9)], identity());
    const again = identity('an-early-key');
    const { after: _, ...first } = await store.execute(stream, [add(1), add(0), add(4)], again);
    for (let count = 0; count < 100; count += 1)
      await store.execute(stream, [add(1)], identity(`later-${count}`));
    for (const other of [store, counters(log)]) {
      const { after, ...answer } = await other.execute(stream, [add(1), add(0), add(4)], again);
      expect(answer).toStrictEqual({ ...first, repeated: true });
      expect(after.state.total).toBe(114);
      expect(after.hasTaken(again.command_id)).toBe(true);
      await expect(
        other.execute(stream, [add(2)], identity('an-early-key', 'another body')),
      ).rejects.toThrow(refusedWith('IDEMPOTENCY_MISMATCH'));
    }
    expect((await chained(log, stream)).filter(({ type }) => type === 'added')).toHaveLength(103);
  });

  it('a retry with another body is refused', async () => {
    const stream = newStream();
    const store = counters(log);
    await store.execute(stream, [add(3)], identity('the-key', 'one body'));
    await expect(
      counters(log).execute(stream, [add(4)], identity('the-key', 'another body')),
    ).rejects.toThrow(refusedWith('IDEMPOTENCY_MISMATCH'));
  });

  it('retries that arrive at the same time make one event, even on two processes', async () => {
    const stream = newStream();
    const stores = [counters(log), counters(log)];
    await Promise.all(stores.map((store) => store.load(stream)));
    for (let round = 0; round < 30; round += 1) {
      const key = `key-${round}`;
      const answers = await Promise.all(
        [0, 1, 0].map((which) => stores[which]!.execute(stream, [add(1)], identity(key))),
      );
      for (const { results } of answers) expect(results).toStrictEqual([{ total: round + 1 }]);
    }
    const events = await chained(log, stream);
    expect(events.filter((event) => event.type === 'added')).toHaveLength(30);
  });

  it('a retry with an expected version gets the first answer', async () => {
    const stream = newStream();
    const again = identity('the-key');
    const store = counters(log);
    const first = await store.execute(stream, [add(3)], again, { expectedVersion: -1 });
    await store.execute(stream, [add(3)], identity());
    const second = await store.execute(stream, [add(3)], again, { expectedVersion: -1 });
    expect(second.results).toStrictEqual(first.results);
  });
});

/** Makes a decision that awaits `meanwhile`, adds to the counter and answers with the previous total. */
const addAfter = (by: number, meanwhile: () => Promise<unknown>) => async (state: CounterState) => {
  await meanwhile();
  return { events: counter.decide(add(by), state), answer: `found ${state.total}` };
};

const foundAgain = (before: CounterState, input: CounterEvent): string =>
  `found ${before.total} by ${input.type}`;

describe('A transaction', () => {
  it('a transaction that loses a race is decided again on the new state, and returns the new state', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    await here.execute(stream, [add(1)], identity());
    let races = 3;
    const meanwhile = async (): Promise<void> => {
      races -= 1;
      if (races >= 0) await there.execute(stream, [add(2)], identity());
    };
    const transacted = await here.transact(stream, identity(), addAfter(5, meanwhile), foundAgain);
    expect(transacted.answer).toBe('found 7');
    expect(transacted.after.state.total).toBe(12);
    expect(transacted.version).toBe((await here.load(stream)).version);
    await chained(log, stream);
  });

  it('a retried transaction is not decided again; its answer comes from the earlier state and the recorded input', async () => {
    const stream = newStream();
    const caller = identity('the-key');
    let decided = 0;
    const decide = addAfter(4, async () => (decided += 1));
    await counters(log).execute(stream, [add(3)], identity());
    const first = await counters(log).transact(stream, caller, decide, foundAgain);
    await counters(log).execute(stream, [add(1)], identity());
    const second = await counters(log).transact(stream, caller, decide, foundAgain);
    expect([first.answer, second.answer]).toStrictEqual(['found 3', 'found 3 by added']);
    expect([first.repeated, second.repeated, decided]).toStrictEqual([false, true, 1]);
    expect([second.version, second.position]).toStrictEqual([first.version, first.position]);
    expect(second.after.state.total).toBe(8);
  });

  it('a transaction makes its command from the state, but a retry makes no command', async () => {
    const stream = newStream();
    const store = counters(log);
    let made = 0;
    const doubled = async (state: CounterState): Promise<CounterCommand[]> => {
      made += 1;
      return [add(state.total + 1)];
    };
    await store.execute(stream, [add(4)], identity());
    const { results } = await store.execute(stream, doubled, identity('the-key'));
    const again = await counters(log).execute(stream, doubled, identity('the-key'));
    expect([results, again.results, made]).toStrictEqual([[{ total: 9 }], [{ total: 9 }], 1]);
  });

  it('a decision reads a stream that has ended without waiting for it, even its own stream', async () => {
    const stream = newStream();
    const hasEnded = ({ closed }: CounterState): boolean => closed !== undefined;
    await counters(log).execute(stream, [add(3)], identity());
    await counters(log).execute(stream, [{ op: 'close', pages: 0, size: 0 }], identity());
    const store = counters(log);
    for (let times = 0; times < 2; times += 1) {
      const decide = async () => ({
        events: [],
        answer: (await store.loadEnded(stream, hasEnded)).total,
      });
      expect((await store.transact(stream, identity(), decide, () => 0)).answer).toBe(3);
    }
  });

  it('a transaction fails with the error of its decision and leaves the stream unchanged', async () => {
    const stream = newStream();
    const store = counters(log);
    await store.execute(stream, [add(1)], identity());
    const broken = addAfter(1, () => Promise.reject(new Error('no database')));
    await expect(store.transact(stream, identity(), broken, foundAgain)).rejects.toThrow(
      /no database/,
    );
    expect((await store.execute(stream, [add(1)], identity())).results).toStrictEqual([
      { total: 2 },
    ]);
  });
});

describe('Two processes', () => {
  it('two processes that send a hundred pairs of equal commands at the same version append two hundred events', async () => {
    const stream = newStream();
    const stores = [counters(log), counters(log)];
    for (let pair = 0; pair < 100; pair += 1) {
      await Promise.all(stores.map((store) => store.execute(stream, [add(1)], identity())));
    }
    const events = await chained(log, stream);
    expect(events.filter((event) => event.type === 'added')).toHaveLength(200);
    for (const store of stores) expect((await store.load(stream)).state.total).toBe(200);
  });

  it('two processes see each other’s acknowledged commands', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    for (let round = 1; round <= 5; round += 1) {
      await here.execute(stream, [add(1)], identity());
      const loaded = await there.load(stream);
      expect([loaded.state.total, loaded.version]).toStrictEqual([round, round - 1]);
      expect(loaded.headHash).toBe((await log.lastOf(stream))?.metadata.hash);
    }
  });

  it('commands for one stream that are sent at the same time keep their order and never conflict', async () => {
    const stream = newStream();
    let appends = 0;
    const store = counters(watched(log, { onAppend: () => (appends += 1) }));
    const executed = await Promise.all(
      Array.from({ length: 200 }, () => store.execute(stream, [add(1)], identity())),
    );
    executed.forEach(({ results }, index) => expect(results).toStrictEqual([{ total: index + 1 }]));
    expect(appends).toBe(200);
    await chained(log, stream);
  });

  it('a refused command does not affect the other commands that are sent at the same time', async () => {
    const stream = newStream();
    const store = counters(log);
    const results = await Promise.allSettled([
      store.execute(stream, [add(1)], identity()),
      store.execute(stream, [{ op: 'close', pages: 1, size: 10 }], identity()),
      store.execute(stream, [add(1)], identity()),
    ]);
    expect(results.map(({ status }) => status)).toStrictEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect((await store.load(stream)).state.printed).toBe(1);
  });
});

interface Watch {
  /** Called before an append; prevents the append by throwing. */
  readonly onAppend?: () => void;
  readonly onRead?: () => void;
}

const watched = (watchedLog: EventStore, { onAppend, onRead }: Watch): EventStore => ({
  get epoch() {
    return watchedLog.epoch;
  },
  clock: watchedLog.clock,
  append: async (...args) => {
    onAppend?.();
    return watchedLog.append(...args);
  },
  readStream: (...args) => {
    onRead?.();
    return watchedLog.readStream(...args);
  },
  lastOf: (stream) => watchedLog.lastOf(stream),
  lastPosition: () => watchedLog.lastPosition(),
  subscribe: (options) => watchedLog.subscribe(options),
  eventAt: (position) => watchedLog.eventAt(position),
  ping: () => watchedLog.ping(),
  close: async () => undefined,
});

describe('A stream whose last event the log lacks after the connection was lost', () => {
  /** A log that lacks a stream's events from a number on, as often as it is asked. */
  function lacking(stream: string, from: number, times: number) {
    let epoch = log.epoch;
    let left = 0;
    const eventStore = Object.create(watched(log, {}), {
      epoch: { get: () => epoch },
      readStream: {
        value: async function* (name: string, options: object) {
          const isShort = name === stream && left-- > 0;
          for await (const event of log.readStream(name, options))
            if (!isShort || event.number < from) yield event;
        },
      },
    }) as EventStore;
    const loseConnection = (): void => {
      epoch += 1;
      left = times;
    };
    return { eventStore, loseConnection };
  }

  it('keeps its state if the event is there a moment later, as on a leader that was paused and does not know its successor yet', async () => {
    const stream = newStream();
    const { eventStore, loseConnection } = lacking(stream, 1, 2);
    const store = counters(eventStore);
    await store.execute(stream, [add(1)], identity());
    await store.execute(stream, [add(2)], identity());
    loseConnection();
    expect((await store.load(stream)).state.total).toBe(3);
    loseConnection();
    expect((await store.execute(stream, [add(0)], identity())).version).toBe(1);
  });

  it('is folded anew if the log goes on lacking the event, as a restored backup does', async () => {
    const stream = newStream();
    const { eventStore, loseConnection } = lacking(stream, 1, Infinity);
    const store = counters(eventStore);
    await store.execute(stream, [add(1)], identity());
    await store.execute(stream, [add(2)], identity());
    loseConnection();
    expect((await store.load(stream)).state.total).toBe(1);
  });
});

describe('An append that fails', () => {
  it('an append whose answer is lost is found in the log and acknowledged once', async () => {
    const proxy = await startProxy(url);
    const through = connectEventStore(proxy.url, { appendTimeoutMs: 300, readTimeoutMs: 1000 });
    const store = counters(through);
    const stream = newStream();
    await store.execute(stream, [add(1)], identity());
    proxy.muteServer();
    const executed = await store.execute(stream, [add(1)], identity());
    expect(executed.results).toStrictEqual([{ total: 2 }]);
    expect(executed.repeated).toBe(false);
    expect((await store.execute(stream, [add(1)], identity())).version).toBe(2);
    expect(await chained(log, stream)).toHaveLength(3);
    await through.close();
    await proxy.stop();
  });

  it('a failed append is retried once with the same command_id', async () => {
    const stream = newStream();
    let failures = 1;
    const store = counters(
      watched(log, {
        onAppend: () => {
          if (failures > 0) {
            failures -= 1;
            throw new EventStoreUnavailable('away for a moment');
          }
        },
      }),
    );
    const caller = identity();
    await store.execute(stream, [add(1)], caller);
    const [event] = await chained(log, stream);
    expect(event?.metadata.command_id).toBe(caller.command_id);
  });

  it('an append that fails twice is refused with the write-failure code that belongs to its kind of stream', async () => {
    const proxy = await startProxy(url);
    const through = connectEventStore(proxy.url, { appendTimeoutMs: 500, readTimeoutMs: 500 });
    const stream = newStream();
    const store = new AggregateStore(through, counter, { writeFailure: 'SEM_WRITE_FAIL' });
    await store.execute(stream, [add(1)], identity());
    proxy.disconnect();
    await expect(store.execute(stream, [add(1)], identity())).rejects.toThrow(
      refusedWith('SEM_WRITE_FAIL'),
    );
    await expect(counters(through).execute(newStream(), [add(1)], identity())).rejects.toThrow(
      refusedWith('MEMORY_WRITE_FAIL'),
    );
    await expect(store.load(stream)).rejects.toThrow(EventStoreUnavailable);
    proxy.reconnect();
    expect((await store.execute(stream, [add(1)], identity())).results).toStrictEqual([
      { total: 2 },
    ]);
    await through.close();
    await proxy.stop();
  });

  it('an append to a full log is refused with STORAGE_FULL and not retried', async () => {
    let tries = 0;
    const full = watched(log, {
      onAppend: () => {
        tries += 1;
        throw new LogFull('full');
      },
    });
    await expect(counters(full).execute(newStream(), [add(1)], identity())).rejects.toThrow(
      refusedWith('STORAGE_FULL'),
    );
    expect(tries).toBe(1);
  });
});

describe('An append that is still on its way when its command is sent again', () => {
  /** A log that a connection's first appends reach late, right before the next append; their answers are lost. */
  function reachedLate(late: number): EventStore {
    const onTheirWay: (() => Promise<unknown>)[] = [];
    return Object.create(watched(log, {}), {
      append: {
        value: async (...append: Parameters<EventStore['append']>) => {
          if (late-- > 0) {
            onTheirWay.push(() => log.append(...append));
            throw new AmbiguousAppend('the connection was lost');
          }
          for (const arrive of onTheirWay.splice(0)) await arrive();
          return log.append(...append);
        },
      },
    }) as EventStore;
  }

  for (const { what, sentAgain, toAnother } of [
    { what: 'to the same process', sentAgain: {}, toAnother: false },
    { what: 'to another process, which knows', sentAgain: { isSentAgain: true }, toAnother: true },
  ])
    for (const hasBegun of [true, false])
      it(`what the log has of it counts, if the command is sent again ${what}, on ${hasBegun ? 'a stream with events' : 'an empty stream'}`, async () => {
        const stream = newStream();
        const late = reachedLate(2);
        const first = counters(late);
        const second = toAnother ? counters(late) : first;
        if (hasBegun) await counters(log).execute(stream, [add(1)], identity());
        await second.load(stream);
        const caller = identity();
        await expect(first.execute(stream, [add(2)], caller)).rejects.toThrow(
          refusedWith('MEMORY_WRITE_FAIL'),
        );
        await second.execute(stream, [add(2)], { ...caller, ...sentAgain });
        const { results } = await second.execute(stream, [add(4)], identity());
        expect(results).toStrictEqual([{ total: hasBegun ? 7 : 6 }]);
        expect(await chained(log, stream)).toHaveLength(hasBegun ? 3 : 2);
      });

  it('what the log has of it counts, even if a leader that was paused does not show it at first', async () => {
    const stream = newStream();
    const eventStore = reachedLate(2);
    const readStream = eventStore.readStream.bind(eventStore);
    let readsOfOne = 0;
    eventStore.readStream = (name, options) =>
      options?.limit === 1 && readsOfOne++ === 0
        ? readStream(newStream(), options)
        : readStream(name, options);
    const store = counters(eventStore);
    const caller = identity();
    await expect(store.execute(stream, [add(2)], caller)).rejects.toThrow(
      refusedWith('MEMORY_WRITE_FAIL'),
    );
    await store.execute(stream, [add(2)], caller);
    await store.execute(stream, [add(4)], identity());
    expect(readsOfOne).toBe(1);
    expect(await chained(log, stream)).toHaveLength(2);
  });
});

describe('Automatic events', () => {
  const close: CounterCommand = { op: 'close', pages: 7, size: 300 * 1024 };

  /** A log that becomes unavailable after this number of appends. */
  const goingAway = (appends: number): EventStore => {
    let left = appends;
    const onAppend = (): void => {
      left -= 1;
      if (left < 0) throw new EventStoreUnavailable('gone');
    };
    return watched(log, { onAppend });
  };

  const isWhole = async (stream: string, commandId: string): Promise<void> => {
    const events = await chained(log, stream);
    expect(events.map(({ type }) => type)).toStrictEqual([
      'closed',
      ...Array<string>(7).fill('page_printed'),
    ]);
    expect([...new Set(events.map(({ metadata }) => metadata.command_id))]).toStrictEqual([
      commandId,
    ]);
  };

  it('automatic events are appended before the command is answered, in as many appends as they need', async () => {
    const stream = newStream();
    const caller = identity();
    const { version } = await counters(log).execute(stream, [close], caller);
    expect(version).toBe(7);
    await isWhole(stream, caller.command_id);
  });

  it('a retry of a command appends the automatic events that are missing after an interruption', async () => {
    const stream = newStream();
    const caller = identity('the-key');
    await expect(counters(goingAway(2)).execute(stream, [close], caller)).rejects.toThrow(
      refusedWith('MEMORY_WRITE_FAIL'),
    );
    expect((await eventsOf(log, stream)).length).toBeLessThan(8);
    expect((await counters(log).execute(stream, [close], caller)).version).toBe(7);
    await isWhole(stream, 'the-key');
  });

  it('settle appends the automatic events that are missing after an interruption, and appends them only once even if two callers call settle', async () => {
    const stream = newStream();
    await expect(
      counters(goingAway(1)).execute(stream, [close], identity('the-key')),
    ).rejects.toThrow(refusedWith('MEMORY_WRITE_FAIL'));
    const settled = await Promise.all([counters(log).settle(stream), counters(log).settle(stream)]);
    for (const { version, state } of settled)
      expect([version, state.printed]).toStrictEqual([7, 7]);
    await isWhole(stream, 'the-key');
  });

  it('settle appends nothing to a stream that is complete or does not exist', async () => {
    const stream = newStream();
    expect((await counters(log).settle(stream)).version).toBe(-1);
    await counters(log).execute(stream, [add(1)], identity());
    expect((await counters(log).settle(stream)).version).toBe(0);
  });
});

describe('A stored event', () => {
  const upcasting: Decider<CounterState, CounterCommand, CounterEvent> = {
    ...counter,
    schemas: {
      ...counter.schemas,
      added: { version: 2, kind: 'input', upcast: { 1: ({ by }) => ({ by: Number(by) * 100 }) } },
    },
  };
  const storeOf = (
    decider: Decider<CounterState, CounterCommand, CounterEvent>,
  ): AggregateStore<CounterState, CounterCommand, CounterEvent> =>
    new AggregateStore(log, decider, { writeFailure: 'MEMORY_WRITE_FAIL' });

  it('an event of an older schema version is upcast when it is read, but verified in its stored form', async () => {
    const stream = newStream();
    await storeOf(counter).execute(stream, [add(2)], identity());
    const { results } = await storeOf(upcasting).execute(stream, [add(1)], identity());
    expect(results).toStrictEqual([{ total: 201 }]);
    const stored = await chained(log, stream);
    expect(stored.map(({ data, metadata }) => [data.by, metadata.schema_version])).toStrictEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  it('an event of a later schema version or of an unknown type is an error, and is not skipped', async () => {
    const stream = newStream();
    await storeOf(upcasting).execute(stream, [add(2)], identity());
    await expect(storeOf(counter).load(stream)).rejects.toMatchObject({
      name: 'UnreadableEvent',
      message: expect.stringMatching(/schema version 2 is later than 1/),
    });
    const { added: _, ...without } = counter.schemas;
    const forgetful = { ...counter, schemas: without as typeof counter.schemas };
    await expect(storeOf(forgetful).load(stream)).rejects.toThrow(/its type is unknown/);
    await expect(storeOf(forgetful).execute(stream, [add(1)], identity())).rejects.toThrow(
      UnreadableEvent,
    );
  });

  it('an event that was tampered with is named in the error', async () => {
    const stream = newStream();
    await counters(log).execute(stream, [add(1)], identity());
    await counters(log).execute(stream, [add(1)], identity());
    const [first, second] = await eventsOf(log, stream);
    const copy = newStream();
    await log.append(copy, 'no_stream', [
      { ...first!, id: randomUUID() },
      { ...second!, id: randomUUID(), data: { by: 1000 } },
    ]);
    // The hash covers the name of the stream, so the first event of a copy under another name does not
    // match.
    await expect(counters(log).load(copy)).rejects.toMatchObject({
      code: 'INTEGRITY_FAILURE',
      facts: {
        stream: copy,
        number: 0,
        reason: 'its hash is not that of its content and its predecessor',
      },
    });
    await log.append(stream, 1, [{ ...second!, id: randomUUID() }]);
    await expect(counters(log).execute(stream, [add(1)], identity())).rejects.toThrow(
      refusedWith('INTEGRITY_FAILURE'),
    );
  });

  it('a stream can be loaded at any earlier version, and its recorded events are read unchanged', async () => {
    const stream = newStream();
    const store = counters(log);
    for (let count = 0; count < 5; count += 1) await store.execute(stream, [add(1)], identity());
    for (const version of [-1, 0, 3, 4, 9]) {
      const loaded = await store.loadAt(stream, version);
      const reached = Math.min(version, 4);
      expect([loaded.version, loaded.state.total]).toStrictEqual([reached, reached + 1]);
    }
    const recorded = await collected(readRecorded(log, stream, { from: 1, to: 3 }));
    expect(recorded.map(({ number }) => number)).toStrictEqual([1, 2, 3]);
  });
});
