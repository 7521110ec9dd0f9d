import { Annotation, Command, interrupt, START, StateGraph } from '@langchain/langgraph';
import { ERROR, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import type { Checkpoint, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { HumanMessage } from '@langchain/core/messages';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MaceSaver } from '../src/index.js';
import { newClient } from './support.js';

const META = { source: 'loop', step: 0, parents: {} } as const;

/** Puts one checkpoint with these values and reads it back. */
async function roundTrip(
  saver: MaceSaver,
  channel_values: Record<string, unknown>,
  more: Partial<Checkpoint> = {},
): Promise<CheckpointTuple | undefined> {
  const channel_versions = Object.fromEntries(Object.keys(channel_values).map((name) => [name, 1]));
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(1),
    channel_values,
    channel_versions,
    ...more,
  };
  const config = { configurable: { thread_id: randomUUID(), checkpoint_ns: '' } };
  return saver.getTuple(await saver.put(config, checkpoint, META, channel_versions));
}

describe('A value', () => {
  const saver = new MaceSaver(newClient());

  it.each<[string, unknown]>([
    ['a text', 'Grüße 😀'],
    ['a text with U+0000', 'a\u0000b'],
    ['a text with a lone surrogate', 'a\ud800b'],
    ['a number', 0.1],
    ['an integer beyond 2^53', 2 ** 60],
    ['null', null],
    ['undefined', undefined],
    ['a list with undefined', [1, undefined]],
    ['bytes', new Uint8Array([0, 1, 255])],
    ['nested bytes', { data: new Uint8Array([1, 2]) }],
    ['a set', new Set([1, 'a'])],
    ['a map', new Map([['a', { b: 1 }]])],
    ['a regular expression', /a+/gi],
    [
      'an object that looks like the adapter’s own form',
      { type: 'json', value: 1, base64: 'AA==' },
    ],
    [
      'an object that looks sealed or erased',
      { sealed: { jwe: 'x', type: 'email' }, erased: true },
    ],
    ['a deep object', Array.from({ length: 70 }).reduce<unknown>((inner) => ({ inner }), 'end')],
    ['personal data', { mail: 'ines.varga@fastmail.test', phone: '+1 212 555 0187' }],
    ['a large value', { text: 'word '.repeat(60_000) }],
    ['a large value with personal data', 'ines.varga@fastmail.test '.repeat(10_000)],
  ])('that is %s is read back as it was put', async (_, value) => {
    const tuple = await roundTrip(saver, { value });
    expect(tuple?.checkpoint.channel_values).toStrictEqual({ value });
  });

  it('that is a message is read back as a message', async () => {
    const tuple = await roundTrip(saver, { messages: [new HumanMessage('hello')] });
    const [message] = tuple?.checkpoint.channel_values['messages'] as HumanMessage[];
    expect(message).toBeInstanceOf(HumanMessage);
    expect(message?.content).toBe('hello');
  });
});

it('two branches of a thread keep their own values under the same channel versions', async () => {
  const saver = new MaceSaver(newClient());
  const base = { configurable: { thread_id: randomUUID(), checkpoint_ns: '' } };
  const put = (parent: typeof base, step: number, value: string) => {
    const checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(step),
      channel_values: { a: value, kept: 'kept' },
      channel_versions: { a: step, kept: 1 },
    };
    const changed: Record<string, number> = step === 1 ? { a: 1, kept: 1 } : { a: step };
    return saver.put(parent, checkpoint, META, changed) as Promise<typeof base>;
  };
  const root = await put(base, 1, 'root');
  const [left, right] = [await put(root, 2, 'left'), await put(root, 2, 'right')];
  const values = async (config: typeof base) =>
    (await saver.getTuple(config))?.checkpoint.channel_values;
  expect(await values(left)).toStrictEqual({ a: 'left', kept: 'kept' });
  expect(await values(right)).toStrictEqual({ a: 'right', kept: 'kept' });
});

it('a repeated put or write adds nothing, and an error replaces the earlier one', async () => {
  const client = newClient();
  const saver = new MaceSaver(client);
  const thread_id = randomUUID();
  const config = { configurable: { thread_id, checkpoint_ns: '' } };
  const checkpoint = { ...emptyCheckpoint(), id: uuid6(1) };
  const events = async () => (await client.threads.replay({ thread_id })).events_checked;
  const place = await saver.put(config, checkpoint, META, {});
  await saver.put(config, checkpoint, META, {});
  await saver.putWrites(
    place,
    [
      ['a', 1],
      [ERROR, 'failed'],
    ],
    'task',
    'path',
  );
  await saver.putWrites(
    place,
    [
      ['a', 1],
      [ERROR, 'failed'],
    ],
    'task',
    'path',
  );
  expect(await events()).toBe(2);
  await saver.putWrites(
    place,
    [
      ['a', 2],
      [ERROR, 'failed again'],
    ],
    'task',
    'path',
  );
  await saver.putWrites(place, [], 'task', 'path');
  expect(await events()).toBe(3);
  const writes = (await saver.getTuple(place))?.pendingWrites;
  expect(writes).toStrictEqual([
    ['task', ERROR, 'failed again'],
    ['task', 'a', 1],
  ]);
});

it('a graph is interrupted in one process and resumed in another, with subgraphs, history and a fork', async () => {
  const client = newClient();
  const State = Annotation.Root({
    log: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  });
  const inner = new StateGraph(State)
    .addNode('ask', () => ({ log: [`answer ${interrupt<string, string>('Which?')}`] }))
    .addEdge(START, 'ask')
    .compile();
  const compiled = () =>
    new StateGraph(State)
      .addNode('first', () => ({ log: ['first'] }))
      .addNode('inner', inner)
      .addNode('last', () => ({ log: ['last'] }))
      .addEdge(START, 'first')
      .addEdge('first', 'inner')
      .addEdge('inner', 'last')
      .compile({ checkpointer: new MaceSaver(client) });
  const thread_id = randomUUID();
  const config = { configurable: { thread_id } };
  await compiled().invoke({ log: ['start'] }, config);
  const state = await compiled().getState(config, { subgraphs: true });
  expect(state.next).toStrictEqual(['inner']);
  expect(state.tasks[0]?.interrupts[0]?.value).toBe('Which?');
  const done = await compiled().invoke(new Command({ resume: 'blue' }), config);
  expect(done.log.filter((entry) => entry !== 'first' && entry !== 'start')).toContain(
    'answer blue',
  );
  expect(done.log.at(-1)).toBe('last');
  const history = [];
  for await (const snapshot of compiled().getStateHistory(config)) history.push(snapshot);
  const before = history.find(({ next }) => next[0] === 'last');
  expect(before).toBeDefined();
  const forked = await compiled().updateState(before!.config, { log: ['forked'] });
  const again = await compiled().invoke(null, forked);
  expect(again.log.slice(-2)).toStrictEqual(['forked', 'last']);
  expect((await client.threads.replay({ thread_id })).identical).toBe(true);
  await new MaceSaver(client).deleteThread(thread_id);
  expect((await compiled().getState(config)).values).toStrictEqual({});
  expect((await client.threads.list({ thread_id })).checkpoints).toStrictEqual([]);
});

it('a saver of another owner does not see the thread', async () => {
  const saver = new MaceSaver(newClient());
  const tuple = await roundTrip(saver, { a: 1 });
  const other = new MaceSaver(newClient());
  expect(await other.getTuple(tuple!.config)).toBeUndefined();
  const listed = [];
  for await (const found of other.list({})) listed.push(found);
  expect(listed).toStrictEqual([]);
});

it('a thread id with personal data is refused before anything is written', async () => {
  const saver = new MaceSaver(newClient());
  const config = { configurable: { thread_id: '+1 212 555 0187', checkpoint_ns: '' } };
  await expect(saver.put(config, emptyCheckpoint(), META, {})).rejects.toMatchObject({
    code: 'PRIVACY_BLOCKED',
  });
});
