import type { Decider } from '#domain/decider.js';
import { AggregateStore, readRecorded } from '#event-store/aggregate-store.js';
import { UnreadableEvent } from '#domain/upcast.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { type EventStore, EventStoreUnavailable, LogFull } from '#event-store/event-store.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
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
import { startProxy } from './event-store-proxy.js';

let server: TestServer;
let url: string;
let log: EventStore;

before(async () => {
  server = await startTestEventStore();
  ({ url } = server);
  log = connectEventStore(url);
});
after(async () => {
  await log.close();
  await server.stop();
});

const refusedWith = (code: string) => (error: unknown) => {
  assert.equal((error as { code?: string }).code, code, String(error));
  return true;
};

describe('A command', () => {
  it('Becomes chained events with seeded ids, seeded time and its identity', async () => {
    const stream = newStream();
    const store = counters(log);
    const caller = { ...identity(), evidence: { caused_by: 'x' } };
    const first = await store.execute(stream, [add(4)], caller);
    const executed = await store.execute(stream, [add(6)], identity());
    assert.deepEqual([first.results, first.version], [[{ total: 4 }], 0]);
    assert.deepEqual([executed.results, executed.version], [[{ total: 10 }], 2]);
    const [added, , tenth] = await chained(log, stream);
    assert.equal(tenth?.type, 'ten_reached');
    assert.equal(tenth.metadata.kind, 'outcome');
    assert.equal(tenth.position, executed.position);
    assert.equal(added?.metadata.command_id, caller.command_id);
    assert.equal(added.metadata.caused_by, 'x');
    assert.equal(Date.parse(tenth.metadata.seeded_ts) - Date.parse(added.metadata.seeded_ts), 2);
  });

  it('Of a batch changes all or nothing, and each answers in its place', async () => {
    const stream = newStream();
    const store = counters(log);
    const batch = [add(1), add(0), add(2), add(0)];
    const { results, version } = await store.execute(stream, batch, identity());
    assert.deepEqual([results, version], [[{ total: 1 }, null, { total: 3 }, null], 1]);
    const broken: CounterCommand[] = [add(1), { op: 'close', pages: 0, size: 0 }, add(1)];
    await assert.rejects(store.execute(stream, broken, identity()), refusedWith('JOB_ENDED'));
    assert.equal((await store.load(stream)).state.total, 3);
  });

  it('May have many commands under one index, of which the last answers', async () => {
    const store = counters(log);
    const options = { indexes: [0, 0, 1] };
    const stream = newStream();
    const { results } = await store.execute(stream, [add(1), add(1), add(5)], identity(), options);
    assert.deepEqual(results, [{ total: 2 }, { total: 7 }]);
  });

  it('That changes nothing appends nothing', async () => {
    const stream = newStream();
    const { after, ...executed } = await counters(log).execute(stream, [add(0)], identity());
    assert.deepEqual(executed, { results: [null], version: -1, position: 0n, repeated: false });
    assert.equal(after.version, -1);
    assert.deepEqual(await eventsOf(log, stream), []);
  });

  it('Is refused by what another process has written, not by what is remembered', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    await here.execute(stream, [add(1)], identity());
    await there.execute(stream, [{ op: 'close', pages: 0, size: 0 }], identity());
    await assert.rejects(here.execute(stream, [add(1)], identity()), refusedWith('JOB_ENDED'));
  });

  it('Bigger than one append is refused, and nothing of it stays', async () => {
    const stream = newStream();
    const store = counters(log);
    const large: CounterCommand[] = Array.from({ length: 4 }, () => ({
      op: 'write',
      text: 'x'.repeat(250 * 1024),
    }));
    await assert.rejects(store.execute(stream, large, identity()), refusedWith('INVALID_INPUT'));
    await store.execute(stream, large.slice(0, 3), identity());
    assert.equal((await store.load(stream)).version, 2);
  });

  it('On a conditional version lands there or not at all', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    const once = { expectedVersion: -1 };
    await here.execute(stream, [add(1)], identity(), once);
    await assert.rejects(
      here.execute(stream, [add(1)], identity(), once),
      refusedWith('VERSION_CONFLICT'),
    );
    await there.execute(stream, [add(1)], identity(), { expectedVersion: 0 });
    // Here the stream is remembered at 0.
    await assert.rejects(
      here.execute(stream, [add(1)], identity(), { expectedVersion: 0 }),
      refusedWith('VERSION_CONFLICT'),
    );
    await here.execute(stream, [add(1)], identity(), { expectedVersion: 1 });
    const races = await Promise.allSettled(
      [here, there].map((store) =>
        store.execute(stream, [add(1)], identity(), { expectedVersion: 2 }),
      ),
    );
    assert.deepEqual(races.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('Reads nothing before its append once the stream is known', async () => {
    const stream = newStream();
    let reads = 0;
    const counting: EventStore = watched(log, { onRead: () => (reads += 1) });
    const store = counters(counting);
    await store.execute(stream, [add(1)], identity());
    const before = reads;
    for (let count = 0; count < 5; count += 1) await store.execute(stream, [add(1)], identity());
    assert.equal(reads, before);
  });
});

describe('A command that is sent again', () => {
  it('Gets its first answer at once, and after other events have landed, from any process', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    const again = identity('the-key');
    const { after: _, ...first } = await here.execute(stream, [add(3)], again);
    for (const store of [here, there, counters(log)]) {
      await store.execute(stream, [add(1)], identity());
      const { repeated, after: __, ...answer } = await store.execute(stream, [add(3)], again);
      assert.equal(repeated, true);
      assert.deepEqual({ ...answer, repeated: false }, first);
    }
    assert.equal((await here.load(stream)).state.total, 6);
  });

  it('With another body is refused', async () => {
    const stream = newStream();
    const store = counters(log);
    await store.execute(stream, [add(3)], identity('the-key', 'one body'));
    await assert.rejects(
      counters(log).execute(stream, [add(4)], identity('the-key', 'another body')),
      refusedWith('IDEMPOTENCY_MISMATCH'),
    );
  });

  it('While it is still on its way makes one event, also from another process', async () => {
    const stream = newStream();
    const stores = [counters(log), counters(log)];
    await Promise.all(stores.map((store) => store.load(stream)));
    for (let round = 0; round < 30; round += 1) {
      const key = `key-${round}`;
      const answers = await Promise.all(
        [0, 1, 0].map((which) => stores[which]!.execute(stream, [add(1)], identity(key))),
      );
      for (const { results } of answers) assert.deepEqual(results, [{ total: round + 1 }]);
    }
    const events = await chained(log, stream);
    assert.equal(events.filter((event) => event.type === 'added').length, 30);
  });

  it('Gets its first answer although it is conditional', async () => {
    const stream = newStream();
    const again = identity('the-key');
    const store = counters(log);
    const first = await store.execute(stream, [add(3)], again, { expectedVersion: -1 });
    await store.execute(stream, [add(3)], identity());
    const second = await store.execute(stream, [add(3)], again, { expectedVersion: -1 });
    assert.deepEqual(second.results, first.results);
  });
});

/** A transaction that adds to the counter, after `meanwhile`, and answers with the total that it found. */
const addAfter = (by: number, meanwhile: () => Promise<unknown>) => async (state: CounterState) => {
  await meanwhile();
  return { events: counter.decide(add(by), state), answer: `found ${state.total}` };
};

const foundAgain = (before: CounterState, input: CounterEvent): string =>
  `found ${before.total} by ${input.type}`;

describe('A transaction', () => {
  it('Is decided again on the new state after a lost race, and hands that state back', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    await here.execute(stream, [add(1)], identity());
    let races = 3;
    const meanwhile = async (): Promise<void> => {
      races -= 1;
      if (races >= 0) await there.execute(stream, [add(2)], identity());
    };
    const transacted = await here.transact(stream, identity(), addAfter(5, meanwhile), foundAgain);
    assert.equal(transacted.answer, 'found 7');
    assert.equal(transacted.after.state.total, 12);
    assert.equal(transacted.version, (await here.load(stream)).version);
    await chained(log, stream);
  });

  it('That was taken before is not decided: its answer comes from what it met and recorded', async () => {
    const stream = newStream();
    const caller = identity('the-key');
    let decided = 0;
    const decide = addAfter(4, async () => (decided += 1));
    await counters(log).execute(stream, [add(3)], identity());
    const first = await counters(log).transact(stream, caller, decide, foundAgain);
    await counters(log).execute(stream, [add(1)], identity());
    const second = await counters(log).transact(stream, caller, decide, foundAgain);
    assert.deepEqual([first.answer, second.answer], ['found 3', 'found 3 by added']);
    assert.deepEqual([first.repeated, second.repeated, decided], [false, true, 1]);
    assert.deepEqual([second.version, second.position], [first.version, first.position]);
    assert.equal(second.after.state.total, 8);
  });

  it('Makes its commands from the state, and not at all for a command that was taken', async () => {
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
    assert.deepEqual([results, again.results, made], [[{ total: 9 }], [{ total: 9 }], 1]);
  });

  it('Fails with what its decision fails with, and leaves the stream as it was', async () => {
    const stream = newStream();
    const store = counters(log);
    await store.execute(stream, [add(1)], identity());
    const broken = addAfter(1, () => Promise.reject(new Error('no database')));
    await assert.rejects(store.transact(stream, identity(), broken, foundAgain), /no database/);
    assert.deepEqual((await store.execute(stream, [add(1)], identity())).results, [{ total: 2 }]);
  });
});

describe('Two processes', () => {
  it('A hundred pairs of equal commands on one version make two hundred events', async () => {
    const stream = newStream();
    const stores = [counters(log), counters(log)];
    for (let pair = 0; pair < 100; pair += 1) {
      await Promise.all(stores.map((store) => store.execute(stream, [add(1)], identity())));
    }
    const events = await chained(log, stream);
    assert.equal(events.filter((event) => event.type === 'added').length, 200);
    for (const store of stores) assert.equal((await store.load(stream)).state.total, 200);
  });

  it('See each other’s acknowledged commands', async () => {
    const stream = newStream();
    const [here, there] = [counters(log), counters(log)];
    for (let round = 1; round <= 5; round += 1) {
      await here.execute(stream, [add(1)], identity());
      const loaded = await there.load(stream);
      assert.deepEqual([loaded.state.total, loaded.version], [round, round - 1]);
      assert.equal(loaded.headHash, (await log.lastOf(stream))?.metadata.hash);
    }
  });

  it('Many commands at once for one stream keep their order and never race each other', async () => {
    const stream = newStream();
    let appends = 0;
    const store = counters(watched(log, { onAppend: () => (appends += 1) }));
    const executed = await Promise.all(
      Array.from({ length: 200 }, () => store.execute(stream, [add(1)], identity())),
    );
    executed.forEach(({ results }, index) => assert.deepEqual(results, [{ total: index + 1 }]));
    assert.equal(appends, 200);
    await chained(log, stream);
  });

  it('A refused command among many refuses none of the others', async () => {
    const stream = newStream();
    const store = counters(log);
    const results = await Promise.allSettled([
      store.execute(stream, [add(1)], identity()),
      store.execute(stream, [{ op: 'close', pages: 1, size: 10 }], identity()),
      store.execute(stream, [add(1)], identity()),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    assert.equal((await store.load(stream)).state.printed, 1);
  });
});

interface Watch {
  /** Called before an append, which it may keep from happening by throwing. */
  readonly onAppend?: () => void;
  readonly onRead?: () => void;
}

const watched = (watchedLog: EventStore, { onAppend, onRead }: Watch): EventStore => ({
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
  ping: () => watchedLog.ping(),
  close: async () => undefined,
});

describe('An append that fails', () => {
  it('Whose answer is lost is found in the log and acknowledged, once', async () => {
    const proxy = await startProxy(url);
    const through = connectEventStore(proxy.url, { appendTimeoutMs: 300, readTimeoutMs: 1000 });
    const store = counters(through);
    const stream = newStream();
    await store.execute(stream, [add(1)], identity());
    proxy.muteServer();
    const executed = await store.execute(stream, [add(1)], identity());
    assert.deepEqual(executed.results, [{ total: 2 }]);
    assert.equal(executed.repeated, false);
    assert.equal((await store.execute(stream, [add(1)], identity())).version, 2);
    assert.equal((await chained(log, stream)).length, 3);
    await through.close();
    await proxy.stop();
  });

  it('Is tried once more under the same command_id', async () => {
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
    assert.equal(event?.metadata.command_id, caller.command_id);
  });

  it('Twice is refused with the write failure of its kind of stream', async () => {
    const proxy = await startProxy(url);
    const through = connectEventStore(proxy.url, { appendTimeoutMs: 500, readTimeoutMs: 500 });
    const stream = newStream();
    const store = new AggregateStore(through, counter, { writeFailure: 'SEM_WRITE_FAIL' });
    await store.execute(stream, [add(1)], identity());
    proxy.disconnect();
    await assert.rejects(
      store.execute(stream, [add(1)], identity()),
      refusedWith('SEM_WRITE_FAIL'),
    );
    await assert.rejects(
      counters(through).execute(newStream(), [add(1)], identity()),
      refusedWith('MEMORY_WRITE_FAIL'),
    );
    await assert.rejects(store.load(stream), EventStoreUnavailable);
    proxy.reconnect();
    assert.deepEqual((await store.execute(stream, [add(1)], identity())).results, [{ total: 2 }]);
    await through.close();
    await proxy.stop();
  });

  it('For want of room is refused as that, and not retried', async () => {
    let tries = 0;
    const full = watched(log, {
      onAppend: () => {
        tries += 1;
        throw new LogFull('full');
      },
    });
    await assert.rejects(
      counters(full).execute(newStream(), [add(1)], identity()),
      refusedWith('STORAGE_FULL'),
    );
    assert.equal(tries, 1);
  });
});

describe('What a stream owes', () => {
  const close: CounterCommand = { op: 'close', pages: 7, size: 300 * 1024 };

  /** A log that goes away after so many appends. */
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
    assert.deepEqual(
      events.map(({ type }) => type),
      ['closed', ...Array<string>(7).fill('page_printed')],
    );
    assert.deepEqual([...new Set(events.map(({ metadata }) => metadata.command_id))], [commandId]);
  };

  it('Is appended in as many appends as it takes, before the command is answered', async () => {
    const stream = newStream();
    const caller = identity();
    const { version } = await counters(log).execute(stream, [close], caller);
    assert.equal(version, 7);
    await isWhole(stream, caller.command_id);
  });

  it('And was interrupted is finished by a retry of the same command', async () => {
    const stream = newStream();
    const caller = identity('the-key');
    await assert.rejects(
      counters(goingAway(2)).execute(stream, [close], caller),
      refusedWith('MEMORY_WRITE_FAIL'),
    );
    assert.ok((await eventsOf(log, stream)).length < 8);
    assert.equal((await counters(log).execute(stream, [close], caller)).version, 7);
    await isWhole(stream, 'the-key');
  });

  it('And was interrupted is finished by settle, also when two do it', async () => {
    const stream = newStream();
    await assert.rejects(
      counters(goingAway(1)).execute(stream, [close], identity('the-key')),
      refusedWith('MEMORY_WRITE_FAIL'),
    );
    const settled = await Promise.all([counters(log).settle(stream), counters(log).settle(stream)]);
    for (const { version, state } of settled) assert.deepEqual([version, state.printed], [7, 7]);
    await isWhole(stream, 'the-key');
  });

  it('Of a stream that owes nothing, or is not there, is nothing', async () => {
    const stream = newStream();
    assert.equal((await counters(log).settle(stream)).version, -1);
    await counters(log).execute(stream, [add(1)], identity());
    assert.equal((await counters(log).settle(stream)).version, 0);
  });
});

describe('What is stored', () => {
  const lifted: Decider<CounterState, CounterCommand, CounterEvent> = {
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

  it('In an older schema version is lifted when it is read, and verified as it was stored', async () => {
    const stream = newStream();
    await storeOf(counter).execute(stream, [add(2)], identity());
    const { results } = await storeOf(lifted).execute(stream, [add(1)], identity());
    assert.deepEqual(results, [{ total: 201 }]);
    const stored = await chained(log, stream);
    assert.deepEqual(
      stored.map(({ data, metadata }) => [data.by, metadata.schema_version]),
      [
        [2, 1],
        [1, 2],
      ],
    );
  });

  it('In a later schema version, or of an unknown type, is not passed over', async () => {
    const stream = newStream();
    await storeOf(lifted).execute(stream, [add(2)], identity());
    await assert.rejects(storeOf(counter).load(stream), (error) => {
      assert.ok(error instanceof UnreadableEvent);
      assert.match(error.message, /schema version 2 is later than 1/);
      return true;
    });
    const { added: _, ...without } = counter.schemas;
    const forgetful = { ...counter, schemas: without as typeof counter.schemas };
    await assert.rejects(storeOf(forgetful).load(stream), /its type is unknown/);
    await assert.rejects(storeOf(forgetful).execute(stream, [add(1)], identity()), UnreadableEvent);
  });

  it('And was tampered with is named', async () => {
    const stream = newStream();
    await counters(log).execute(stream, [add(1)], identity());
    await counters(log).execute(stream, [add(1)], identity());
    const [first, second] = await eventsOf(log, stream);
    const copy = newStream();
    await log.append(copy, 'no_stream', [
      { ...first!, id: randomUUID() },
      { ...second!, id: randomUUID(), data: { by: 1000 } },
    ]);
    // Another stream's name is in the hash as well: already the first event does not belong there.
    await assert.rejects(counters(log).load(copy), (error) => {
      assert.deepEqual((error as { facts?: unknown }).facts, {
        stream: copy,
        number: 0,
        reason: 'its hash is not that of its content and its predecessor',
      });
      return refusedWith('INTEGRITY_FAILURE')(error);
    });
    await log.append(stream, 1, [{ ...second!, id: randomUUID() }]);
    await assert.rejects(
      counters(log).execute(stream, [add(1)], identity()),
      refusedWith('INTEGRITY_FAILURE'),
    );
  });

  it('Is seen at any earlier version, and read as it stands', async () => {
    const stream = newStream();
    const store = counters(log);
    for (let count = 0; count < 5; count += 1) await store.execute(stream, [add(1)], identity());
    for (const version of [-1, 0, 3, 4, 9]) {
      const loaded = await store.loadAt(stream, version);
      const reached = Math.min(version, 4);
      assert.deepEqual([loaded.version, loaded.state.total], [reached, reached + 1]);
    }
    const recorded = await collected(readRecorded(log, stream, { from: 1, to: 3 }));
    assert.deepEqual(
      recorded.map(({ number }) => number),
      [1, 2, 3],
    );
  });
});
