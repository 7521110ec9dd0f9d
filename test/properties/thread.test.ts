import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkpointIn, entriesOf } from '#domain/thread/entries.js';
import { partsOf, type ThreadState } from '#domain/thread/state.js';
import { type ThreadCommand, threadDecider } from '#domain/thread/thread.decider.js';
import { playFor } from '#test/domain/given.js';

const at = '2026-01-01T00:00:00.000Z';
const CHANNELS = ['a', 'b', 'c'];
const ids = fc.nat(6).map(String);
const play = playFor(threadDecider, 'thread-1');

const put = fc
  .record({
    id: ids,
    parent: fc.option(ids),
    versions: fc.dictionary(fc.constantFrom(...CHANNELS), fc.nat(2)),
    changed: fc.subarray(CHANNELS),
    empty: fc.subarray(CHANNELS),
  })
  .map(({ id, parent, versions, changed, empty }): ThreadCommand => ({
    type: 'put_checkpoint',
    data: {
      thread: { thread_id: 't', namespace: '', owner: { sub: 'a', user_id: null } },
      checkpoint_id: id,
      parent_checkpoint_id: parent,
      checkpoint: { value: null },
      metadata: { value: null },
      channel_versions: versions,
      channel_values: changed
        .filter((channel) => channel in versions && !empty.includes(channel))
        .map((channel) => ({ channel, value: `${id} ${channel}` })),
      empty_channels: empty.filter((channel) => channel in versions),
      digest: JSON.stringify([id, parent, versions, changed, empty]),
      at,
    },
  }));
const write = fc
  .record({ id: ids, task: fc.constantFrom('t1', 't2'), index: fc.integer({ min: -2, max: 2 }) })
  .map(({ id, task, index }): ThreadCommand => ({
    type: 'put_writes',
    data: {
      checkpoint_id: id,
      task_id: task,
      task_path: '',
      writes: [{ index, channel: 'a', value: null }],
      digest: JSON.stringify([id, task, index]),
      at,
    },
  }));
const remove = fc.option(fc.nat(20)).map((up_to): ThreadCommand => ({
  type: 'delete',
  data: up_to === null ? { at } : { up_to, at },
}));
const history = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: put },
    { weight: 3, arbitrary: write },
    { weight: 1, arbitrary: remove },
  ),
  { maxLength: 20 },
);

const numbersOf = (parts: NonNullable<ReturnType<typeof latestInList>>) => ({
  event: parts.event,
  values: [...parts.values].map(([channel, { event }]) => [channel, event]).sort(),
  writes: parts.writes.map(({ event }) => event),
});

/** Returns the latest checkpoint as the list of events has it. */
function latestInList({ last }: ThreadState) {
  const known = [...entriesOf(last)].filter((entry) => entry.kind === 'checkpoint');
  const [newest] = known.sort((one, other) => other.first - one.first);
  const latest = newest && checkpointIn(last, newest.checkpoint_id);
  return latest && partsOf(last, latest);
}

test('the latest checkpoint in memory has the same parts as the events give', () => {
  fc.assert(
    fc.property(history, (commands) => {
      const { state } = play(commands);
      const expected = latestInList(state);
      expect(state.latest && numbersOf(state.latest)).toStrictEqual(
        expected && numbersOf(expected),
      );
    }),
  );
});

test('a later event never changes the values of an earlier checkpoint', () => {
  fc.assert(
    fc.property(history, put, (commands, next) => {
      const { events, state } = play(commands);
      const after = play([...commands, next]);
      fc.pre(after.events.length > events.length);
      for (const entry of entriesOf(state.last))
        if (entry.kind === 'checkpoint')
          expect([...partsOf(after.state.last, entry).values]).toStrictEqual([
            ...partsOf(state.last, entry).values,
          ]);
    }),
  );
});

test('a deletion up to an event leaves every later checkpoint and write as it was', () => {
  fc.assert(
    fc.property(history, fc.nat(20), (commands, up_to) => {
      const before = play(commands).state;
      const after = play([...commands, { type: 'delete', data: { up_to, at } }]).state;
      const kept = [...entriesOf(before.last)].filter(({ event }) => event > up_to);
      expect([...entriesOf(after.last)].map(({ event }) => event)).toStrictEqual(
        kept.map(({ event }) => event),
      );
      for (const entry of kept)
        if (entry.kind === 'checkpoint')
          expect(numbersOf(partsOf(after.last, entry))).toStrictEqual({
            ...numbersOf(partsOf(before.last, entry)),
            writes: kept
              .filter((one) => one.kind === 'writes' && one.checkpoint_id === entry.checkpoint_id)
              .map(({ event }) => event)
              .reverse(),
          });
    }),
  );
});

test('commands that are sent a second time in the same order add nothing to a thread that was not deleted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(put, { selector: idOf, maxLength: 6 }), (commands) => {
      const { events } = play(commands);
      expect(play([...commands, ...commands]).events).toStrictEqual(events);
    }),
  );
});

const idOf = (command: ThreadCommand) =>
  command.type === 'put_checkpoint' ? command.data.checkpoint_id : '';
