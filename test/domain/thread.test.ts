import { expect, test } from '@jest/globals';
import type { CheckpointPut, ThreadEvent, WritesPut } from '#domain/thread/events.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { partsOf, type ThreadState } from '#domain/thread/state.js';
import { checkpointIn, entriesOf } from '#domain/thread/entries.js';
import { type ThreadCommand, threadDecider } from '#domain/thread/thread.decider.js';
import { upcast } from '#domain/upcast.js';
import { givenFor } from '#test/domain/given.js';
import { idsInOrder } from '#test/support/hard-inputs.mjs';

const given = givenFor(threadDecider, 'thread-1');
const at = '2026-01-01T00:00:00.000Z';
const thread = { thread_id: 't', namespace: '', owner: { sub: 'a', user_id: null } };

interface Step {
  readonly parent?: string;
  readonly versions: Readonly<Record<string, number>>;
  readonly values?: Readonly<Record<string, string>>;
  readonly empty?: readonly string[];
}

function checkpoint(id: string, { parent, versions, values = {}, empty = [] }: Step) {
  const data: CheckpointPut = {
    thread,
    checkpoint_id: id,
    parent_checkpoint_id: parent ?? null,
    checkpoint: { value: { v: 4 } },
    metadata: { value: {} },
    channel_versions: versions,
    channel_values: Object.entries(values).map(([channel, value]) => ({ channel, value })),
    empty_channels: empty,
    digest: JSON.stringify([id, parent, versions, values]),
    at,
  };
  return { type: 'put_checkpoint', data } as const satisfies ThreadCommand;
}

function writes(id: string, task_id: string, ...made: readonly (readonly [number, string])[]) {
  const data: WritesPut = {
    thread,
    checkpoint_id: id,
    task_id,
    task_path: '',
    writes: made.map(([index, value]) => ({ index, channel: 'c', value })),
    digest: JSON.stringify([id, task_id, made]),
    at,
  };
  return { type: 'put_writes', data } as const satisfies ThreadCommand;
}
const remove: ThreadCommand = { type: 'delete', data: { at } };

const first = checkpoint('1', { versions: { a: 1, b: 1 }, values: { a: 'a1', b: 'b1' } });
const second = checkpoint('2', { parent: '1', versions: { a: 2, b: 1 }, values: { a: 'a2' } });

/** Returns, by channel, the number of the event that holds its value. */
function places({ last }: ThreadState, id: string): Readonly<Record<string, number>> {
  const found = checkpointIn(last, id);
  if (found === undefined) return {};
  return Object.fromEntries(
    [...partsOf(last, found).values].map(([name, { event }]) => [name, event]),
  );
}

test('the first event names the thread and its owner, and later events do not repeat them', () => {
  const [one, two] = given().when(first, second).events();
  expect(one?.data).toMatchObject({ thread });
  expect(two?.data).not.toHaveProperty('thread');
});

test('a checkpoint has the values of its step, and those of its ancestors under the same versions', () => {
  const state = given().when(first, second).state();
  expect(places(state, '1')).toStrictEqual({ a: 0, b: 0 });
  expect(places(state, '2')).toStrictEqual({ a: 1, b: 0 });
});

test('two steps from one checkpoint may give a channel the same version, and each keeps its own value', () => {
  const left = checkpoint('2', { parent: '1', versions: { a: 2, b: 1 }, values: { a: 'left' } });
  const right = checkpoint('3', { parent: '1', versions: { a: 2, b: 1 }, values: { a: 'right' } });
  const onward = checkpoint('4', { parent: '2', versions: { a: 2, b: 2 }, values: { b: 'b2' } });
  const state = given().when(first, left, right, onward).state();
  expect(places(state, '3')).toStrictEqual({ a: 2, b: 0 });
  expect(places(state, '4')).toStrictEqual({ a: 1, b: 3 });
});

test('a copy of a checkpoint beside it, which changes nothing, finds the values of the original', () => {
  const copy = checkpoint('3', { parent: '1', versions: { a: 2, b: 1 } });
  expect(places(given().when(first, second, copy).state(), '3')).toStrictEqual({ a: 1, b: 0 });
});

test('a channel that a step has emptied has no value', () => {
  const emptied = checkpoint('2', { parent: '1', versions: { a: 2, b: 1 }, empty: ['a'] });
  expect(places(given().when(first, emptied).state(), '2')).toStrictEqual({ b: 0 });
});

test('a checkpoint that is put again adds nothing, and another one with its id replaces it', () => {
  given().when(first, first).thenTypes('checkpoint_put');
  const other = checkpoint('1', { versions: { a: 5 }, values: { a: 'a5' } });
  const outcome = given().when(first, other);
  outcome.thenTypes('checkpoint_put', 'checkpoint_put');
  expect(places(outcome.state(), '1')).toStrictEqual({ a: 1 });
});

test('a write that a task has made is not made again, and one with a negative index replaces the earlier one', () => {
  const outcome = given().when(
    first,
    writes('1', 'task', [0, 'x'], [-1, 'failed']),
    writes('1', 'task', [0, 'y'], [1, 'z'], [-1, 'failed again']),
  );
  expect(outcome.events().at(-1)?.data).toMatchObject({ writes: [{ index: 1 }, { index: -1 }] });
  given()
    .when(first, writes('1', 'task', [0, 'x']), writes('1', 'task', [0, 'y']))
    .thenTypes('checkpoint_put', 'writes_put');
  given()
    .when(first, writes('1', 'task', [-1, 'x']), writes('1', 'task', [-1, 'x']))
    .thenTypes('checkpoint_put', 'writes_put');
  given()
    .when(first, writes('1', 'task', [0, 'x']), writes('1', 'other', [0, 'x']))
    .thenTypes('checkpoint_put', 'writes_put', 'writes_put');
});

test('writes may come before their checkpoint', () => {
  const state = given()
    .when(writes('1', 'task', [0, 'x']), first)
    .state();
  expect(state.latest?.writes).toStrictEqual([{ event: 0 }]);
});

test('a deletion hides what there is, and a thread can begin again', () => {
  const outcome = given().when(first, second, remove, remove);
  outcome.thenTypes('checkpoint_put', 'checkpoint_put', 'thread_deleted');
  expect(outcome.state()).toMatchObject({ last: undefined, latest: undefined, eventCount: 3 });
  const again = given().when(first, remove, second).state();
  expect(places(again, '2')).toStrictEqual({ a: 2 });
  given().when(remove).then();
});

const removeUpTo = (up_to: number): ThreadCommand => ({ type: 'delete', data: { up_to, at } });

test('a deletion up to an event keeps what came after it, and again it changes nothing', () => {
  const third = checkpoint('3', { versions: { a: 3 }, values: { a: 'a3' } });
  const pending = writes('2', 'task', [0, 'x']);
  const outcome = given().when(first, pending, second, third, removeUpTo(1), removeUpTo(1));
  outcome.thenTypes(
    ...([
      'checkpoint_put',
      'writes_put',
      'checkpoint_put',
      'checkpoint_put',
      'thread_deleted',
    ] as const),
  );
  expect(outcome.events().at(-1)?.data).toStrictEqual({ up_to: 1, at });
  const { last, latest } = outcome.state();
  expect([...entriesOf(last)].map(({ event }) => event)).toStrictEqual([3, 2]);
  expect(latest).toMatchObject({ event: 3, checkpoint_id: '3' });
  given()
    .when(first, remove, second, removeUpTo(0))
    .thenTypes(...(['checkpoint_put', 'thread_deleted', 'checkpoint_put'] as const));
  given().when(first, removeUpTo(-1)).thenTypes('checkpoint_put');
});

test('a checkpoint after a deletion up to an event has the values of its hidden ancestors, and so have those after it', () => {
  const third = checkpoint('3', { parent: '2', versions: { a: 2, b: 1 } });
  const state = given().when(first, second, removeUpTo(0), third).state();
  expect(checkpointIn(state.last, '1')).toBeUndefined();
  expect(places(state, '2')).toStrictEqual({ a: 1, b: 0 });
  expect(places(state, '3')).toStrictEqual({ a: 1, b: 0 });
  const anew = given().when(first, second, removeUpTo(0), remove, third).state();
  expect(places(anew, '3')).toStrictEqual({});
});

test('after a deletion up to an event, the latest checkpoint is the newest of those that it has left', () => {
  const greatest = checkpoint('9', { versions: {} });
  const state = given().when(greatest, second, first, removeUpTo(0)).state();
  expect(state.latest).toMatchObject({ event: 2, checkpoint_id: '1' });
});

test('the latest checkpoint is the one whose id was put first after all others, whatever the ids are', () => {
  const put = idsInOrder(12).map((id) => checkpoint(id, { versions: {} }));
  const again = checkpoint('3', { versions: { a: 1 }, values: { a: 'again' } });
  const last = checkpoint('12', { versions: { a: 2 }, values: { a: 'last' } });
  const state = given()
    .when(...put, again)
    .state();
  expect(state.latest).toMatchObject({ event: 11, checkpoint_id: '12' });
  const replaced = given()
    .when(...put, again, last, again, again)
    .state();
  expect(replaced.latest).toMatchObject({ event: 13, checkpoint_id: '12' });
});

test('a deletion of version 1 hides all events before it', () => {
  const metadata = { schema_version: 1 } as EventMetadata;
  const stored = { stream: 'thread-1', number: 2, type: 'thread_deleted', data: { at }, metadata };
  const old = upcast<ThreadEvent>(threadDecider.schemas, stored);
  const put = given().when(first, second).events();
  expect(
    given(...put, old)
      .when()
      .state(),
  ).toMatchObject({ last: undefined, latest: undefined });
});

test('a checkpoint that names itself as its parent, or a value without a version, is refused', () => {
  const itself = checkpoint('1', { parent: '1', versions: {} });
  given().when(itself).thenRefused('INVALID_INPUT');
  const unversioned = checkpoint('1', { versions: {}, values: { a: 'a' } });
  given().when(unversioned).thenRefused('INVALID_INPUT');
  const both = checkpoint('1', { versions: { a: 1 }, values: { a: 'a' }, empty: ['a'] });
  given().when(both).thenRefused('INVALID_INPUT');
  given()
    .when(first, writes('1', 'task', [0, 'x'], [0, 'y']))
    .thenRefused('INVALID_INPUT');
});
