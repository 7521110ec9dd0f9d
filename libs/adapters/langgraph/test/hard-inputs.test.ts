import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import {
  HARD_TEXTS,
  HARD_VALUES,
  idsInOrder,
  isOverLong,
  LOOKALIKES,
  stored,
  UNCARRIABLE_VALUES,
} from '../../../../test/support/hard-inputs.mjs';
import { MaceSaver, MaceStore } from '../src/index.js';
import { newClient } from './support.js';

const configured = (thread_id = 'thread') => ({ configurable: { thread_id, checkpoint_ns: '' } });
const metadata = { source: 'loop', step: 1, parents: {} } as const;

/** Puts a checkpoint with one channel, and reads it again. */
async function throughSaver(value: unknown, more: object = {}, id = 'c1') {
  const saver = new MaceSaver(newClient());
  const checkpoint = {
    ...emptyCheckpoint(),
    id,
    channel_values: { text: value },
    channel_versions: { text: 1 },
  };
  const config = await saver.put(configured(), checkpoint, { ...metadata, ...more }, { text: 1 });
  await saver.putWrites(config, [['text', value]], 'task');
  return saver.getTuple(configured());
}

async function throughStore(value: Record<string, unknown>) {
  const store = new MaceStore(newClient());
  await store.put(['a'], 'key', value);
  return (await store.get(['a'], 'key'))!.value;
}

/** One step may change at most 1 MB, and LangGraph writes U+0000 as six characters. */
const FIT_A_STEP = HARD_TEXTS.filter(({ text }) => JSON.stringify(text).length < 500_000);
/** LangGraph's own serializer reads an object with `lc` as one of its own. */
const FIT_A_CHANNEL = LOOKALIKES.filter((value) => !('lc' in value));

describe('A text of a model or of a tool', () => {
  it.each(FIT_A_STEP)('$name in a channel or a write comes back as it was', async ({ text }) => {
    const tuple = await throughSaver(text, { text });
    expect(tuple!.checkpoint.channel_values).toStrictEqual({ text });
    expect(tuple!.pendingWrites).toStrictEqual([['task', 'text', text]]);
    expect(tuple!.metadata).toStrictEqual({ ...metadata, text: stored(text) });
  });

  it.each(HARD_TEXTS)('$name never costs an item of the store', async ({ text }) => {
    const value = await throughStore({ text, kept: 'yes' });
    expect(value['kept']).toBe('yes');
    if (isOverLong(text))
      expect(stored(text).startsWith(String(value['text']).slice(0, -1))).toBe(true);
    else expect(value['text']).toBe(stored(text));
  });
});

describe('A value of a user', () => {
  it.each(FIT_A_CHANNEL)('that looks like ours comes back as it was: %j', async (value) => {
    const tuple = await throughSaver(value, value);
    expect(tuple!.checkpoint.channel_values).toStrictEqual({ text: value });
    expect(tuple!.metadata).toStrictEqual({ ...metadata, ...value });
    expect(await throughStore(value)).toStrictEqual(value);
  });

  it.each([10n, { kept: 1, lost: 10n }])(
    'with a bigint in a channel is refused by its name',
    async (value) => {
      await expect(throughSaver(value)).rejects.toMatchObject({
        name: 'MaceArgumentError',
        argument: 'channel_values.text',
      });
    },
  );

  it('is in a channel as the serializer of LangGraph makes it', async () => {
    const tuple = await throughSaver([NaN, Infinity, -0]);
    expect(tuple!.checkpoint.channel_values).toStrictEqual({ text: [null, null, 0] });
  });

  it.each(HARD_VALUES)('$name comes back as it was from the store', async ({ value, kept }) => {
    expect(await throughStore({ value })).toStrictEqual({ value: kept });
  });

  it.each(UNCARRIABLE_VALUES)(
    '$name is refused by its place, and nothing of the batch is written',
    async ({ value }) => {
      const store = new MaceStore(newClient());
      const refused = store.batch([
        { namespace: ['a'], key: 'good', value: { text: 'good' } },
        { namespace: ['a'], key: 'bad', value: { value } },
      ]);
      await expect(refused).rejects.toMatchObject({
        name: 'UncarriableValue',
        path: expect.stringMatching(/^value/),
      });
      expect(await store.get(['a'], 'good')).toBeNull();
    },
  );
});

describe('Checkpoints whose ids are not in the order of texts', () => {
  it('are read in the order in which each id was first put', async () => {
    const saver = new MaceSaver(newClient());
    const ids = idsInOrder(12);
    const put = (id: string, parent?: string) =>
      saver.put(
        {
          configurable: {
            thread_id: 'thread',
            checkpoint_ns: '',
            ...(parent && { checkpoint_id: parent }),
          },
        },
        { ...emptyCheckpoint(), id, channel_values: { id }, channel_versions: { id: Number(id) } },
        metadata,
        { id: Number(id) },
      );
    for (const [place, id] of ids.entries()) await put(id, ids[place - 1]);
    await put('3', '2');
    const newest = [...ids].reverse();
    expect((await saver.getTuple(configured()))!.checkpoint.id).toBe('12');
    const listed = async (options = {}) => {
      const found: string[] = [];
      for await (const { checkpoint } of saver.list(configured(), options))
        found.push(checkpoint.id);
      return found;
    };
    expect(await listed()).toStrictEqual(newest);
    const before = { configurable: { thread_id: 'thread', checkpoint_id: '10' } };
    expect(await listed({ before })).toStrictEqual(newest.slice(3));
    expect(await listed({ before, limit: 2 })).toStrictEqual(['9', '8']);
  });
});
