import {
  type AgentInputItem,
  isSessionHistoryRewriteAwareSession,
  isSessionHistoryTransactionAwareSession,
  type SessionHistoryTransaction,
  type SessionHistoryTransactionArgs,
  UserError,
} from '@openai/agents-core';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MaceSession } from '../src/index.js';
import { assistantSaid, functionCall, newClient, userSaid } from './support.js';

const newSession = () => new MaceSession(newClient(), 'chat');
const [hello, hi, weather] = [userSaid('Hello'), assistantSaid('Hi'), userSaid('How is Rome?')];

describe('A session', () => {
  it('has the given id, or a new one', async () => {
    expect(await newSession().getSessionId()).toBe('chat');
    const [first, second] = [new MaceSession(newClient()), new MaceSession(newClient())];
    expect(await first.getSessionId()).not.toBe(await second.getSessionId());
  });

  it('is empty before the first item', async () => {
    const session = newSession();
    expect(await session.getItems()).toStrictEqual([]);
    expect(await session.popItem()).toBeUndefined();
    await session.clearSession();
    expect(await session.getItems(5)).toStrictEqual([]);
  });

  it('returns items in the order in which they were added, and the last ones for a limit', async () => {
    const session = newSession();
    await session.addItems([hello, hi]);
    await session.addItems([weather]);
    expect(await session.getItems()).toStrictEqual([hello, hi, weather]);
    expect(await session.getItems(2)).toStrictEqual([hi, weather]);
    expect(await session.getItems(9)).toHaveLength(3);
    for (const limit of [0, -1]) expect(await session.getItems(limit)).toStrictEqual([]);
  });

  it('ignores an empty list', async () => {
    const session = newSession();
    await session.addItems([]);
    expect(await session.conversation.items()).toMatchObject({ version: 0 });
  });

  it('pops the last item', async () => {
    const session = newSession();
    await session.addItems([hello, hi]);
    expect(await session.popItem()).toStrictEqual(hi);
    expect(await session.getItems()).toStrictEqual([hello]);
    expect(await session.popItem()).toStrictEqual(hello);
    expect(await session.popItem()).toBeUndefined();
  });

  it('is empty after a clear and can be used again; the earlier items are still in the log', async () => {
    const session = newSession();
    await session.addItems([hello, hi]);
    await session.clearSession();
    expect(await session.getItems()).toStrictEqual([]);
    await session.addItems([weather]);
    expect(await session.getItems()).toStrictEqual([weather]);
    expect(await session.conversation.items({ version: 1 })).toMatchObject({ count: 2 });
  });

  it('is the same for every process with its id, and another one for another owner', async () => {
    const sub = `agent-${randomUUID()}`;
    await new MaceSession(newClient(sub), 'shared').addItems([hello]);
    expect(await new MaceSession(newClient(sub), 'shared').getItems()).toStrictEqual([hello]);
    expect(await new MaceSession(newClient(), 'shared').getItems()).toStrictEqual([]);
  });

  it('returns personal data to its owner as it was', async () => {
    const session = newSession();
    const item = userSaid('Write to ines.varga@fastmail.test');
    await session.addItems([item]);
    expect(await session.getItems()).toStrictEqual([item]);
    const bundle: string[] = [];
    for await (const line of session.conversation.bundle()) bundle.push(line);
    expect(bundle.join()).not.toContain('ines.varga');
  });

  it('adds more items than one request holds', async () => {
    const session = newSession();
    const many = Array.from({ length: 1_203 }, (_, place) => userSaid(`Item ${place}`));
    await session.addItems(many);
    expect(await session.getItems()).toStrictEqual(many);
  });

  it('keeps bytes and nested values, leaves out undefined, and refuses what would come back changed', async () => {
    const session = newSession();
    const image = new Uint8Array([0, 128, 255]);
    const output = [{ type: 'image', image: { data: image, mediaType: 'image/png' } }];
    const result = {
      type: 'function_call_result',
      callId: 'call-1',
      name: 'camera',
      status: 'completed',
      output,
      providerData: { nested: [1, null, { deep: true }], absent: undefined },
    } as unknown as AgentInputItem;
    await session.addItems([result]);
    const [stored] = await session.getItems();
    expect(stored).toMatchObject({ output, providerData: { nested: [1, null, { deep: true }] } });
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const value of [() => 1, 1n, NaN, new Date(), new Map(), cyclic, { $bytes_base64: '' }]) {
      const item = { ...hello, providerData: { value } } as AgentInputItem;
      await expect(session.addItems([item])).rejects.toThrow(UserError);
    }
    expect(await session.getItems()).toHaveLength(1);
  });
});

describe('A history transaction', () => {
  const append = (...items: AgentInputItem[]): SessionHistoryTransaction => ({
    type: 'append_items',
    items,
  });
  const replace = (
    expectedSuffix: AgentInputItem[],
    ...replacement: AgentInputItem[]
  ): SessionHistoryTransaction => ({ type: 'replace_suffix', expectedSuffix, replacement });
  const apply = (
    session: MaceSession,
    operationId: string,
    transaction: SessionHistoryTransaction,
  ) => session.applyHistoryTransaction({ operationId, transaction });

  it('is offered by the session', () => {
    expect(isSessionHistoryTransactionAwareSession(newSession())).toBe(true);
    expect(isSessionHistoryRewriteAwareSession(newSession())).toBe(true);
  });

  it('appends items once, however often it is repeated', async () => {
    const session = newSession();
    for (let attempt = 0; attempt < 3; attempt += 1) await apply(session, 'op-1', append(hello));
    await session.addItems([hi]);
    await apply(session, 'op-1', append(hello));
    expect(await session.getItems()).toStrictEqual([hello, hi]);
  });

  it('applies once when repeats arrive at the same time', async () => {
    const session = newSession();
    await Promise.all(Array.from({ length: 8 }, () => apply(session, 'op-1', append(hello, hi))));
    expect(await session.getItems()).toStrictEqual([hello, hi]);
  });

  it('replaces a suffix that matches, also when its keys have another order', async () => {
    const session = newSession();
    await session.addItems([
      hello,
      { role: 'user', content: 'Old', name: 'Ada' } as AgentInputItem,
    ]);
    const expected = { name: 'Ada', content: 'Old', role: 'user' } as AgentInputItem;
    await apply(session, 'op-1', replace([expected], hi, weather));
    expect(await session.getItems()).toStrictEqual([hello, hi, weather]);
    await apply(session, 'op-2', replace([hi, weather]));
    expect(await session.getItems()).toStrictEqual([hello]);
  });

  it('repeats a replacement without looking at the suffix again', async () => {
    const session = newSession();
    await session.addItems([hello]);
    await apply(session, 'op-1', replace([hello], hi));
    await session.addItems([weather]);
    await apply(session, 'op-1', replace([hello], hi));
    expect(await session.getItems()).toStrictEqual([hi, weather]);
  });

  it('fails without a change if the suffix does not match, and may then be tried again', async () => {
    const session = newSession();
    await session.addItems([hello]);
    for (const suffix of [[hi], [hi, hello], [hello, hello]])
      await expect(apply(session, 'op-1', replace(suffix, weather))).rejects.toThrow(UserError);
    expect(await session.getItems()).toStrictEqual([hello]);
    await apply(session, 'op-1', replace([hello], weather));
    expect(await session.getItems()).toStrictEqual([weather]);
  });

  it('fails without a change if its id belongs to another transaction', async () => {
    const session = newSession();
    await apply(session, 'op-1', append(hello));
    for (const other of [append(hi), replace([hello], hello), append(hello, hello)])
      await expect(apply(session, 'op-1', other)).rejects.toThrow(UserError);
    expect(await session.getItems()).toStrictEqual([hello]);
  });

  it('takes any text as its id but an empty one', async () => {
    const session = newSession();
    const id = `run 7 / ${'ü'.repeat(300)}`;
    for (let attempt = 0; attempt < 2; attempt += 1) await apply(session, id, append(hello));
    expect(await session.getItems()).toStrictEqual([hello]);
    await expect(apply(session, ' ', append(hi))).rejects.toThrow(UserError);
  });

  it('is applied again after a clear, which resets the session', async () => {
    const session = newSession();
    await apply(session, 'op-1', append(hello));
    await session.clearSession();
    await apply(session, 'op-1', append(hello));
    await apply(session, 'op-1', append(hello));
    expect(await session.getItems()).toStrictEqual([hello]);
  });

  it('is recorded also if it adds nothing', async () => {
    const session = newSession();
    await apply(session, 'op-1', append());
    await expect(apply(session, 'op-1', append(hello))).rejects.toThrow('already applied');
    expect(await session.getItems()).toStrictEqual([]);
  });

  it('takes bytes of any origin and objects without a prototype for what they contain', async () => {
    const session = newSession();
    const shared = new Uint8Array(new SharedArrayBuffer(2));
    shared.set([3, 7]);
    const bare = Object.assign(Object.create(null) as object, { source: 'provider' });
    const item = { ...hello, providerData: { bytes: shared, bare } } as AgentInputItem;
    await apply(session, 'op-1', append(item));
    shared[0] = 9;
    const providerData = { bytes: new Uint8Array([3, 7]), bare: { source: 'provider' } };
    const again = { ...hello, providerData } as AgentInputItem;
    await apply(session, 'op-1', append(again));
    await apply(session, 'op-2', replace([again], hi));
    expect(await session.getItems()).toStrictEqual([hi]);
  });

  it('reads its arguments once, and shows none of their content in an error', async () => {
    const session = newSession();
    let reads = 0;
    const args = { transaction: append(hello) } as SessionHistoryTransactionArgs;
    Object.defineProperty(args, 'operationId', { get: () => `op-${(reads += 1)}` });
    await session.applyHistoryTransaction(args);
    expect(reads).toBe(1);
    const failing = {} as SessionHistoryTransactionArgs;
    Object.defineProperty(failing, 'operationId', {
      get: () => {
        throw new Error('secret');
      },
    });
    await expect(session.applyHistoryTransaction(failing)).rejects.toThrow('arguments are invalid');
    const item = { ...hello, providerData: { key: Symbol('secret') } } as AgentInputItem;
    await expect(apply(session, 'op-9', append(item))).rejects.toThrow(
      'Session history transaction items contain invalid or unsupported data.',
    );
  });

  it('is refused with another form, and records nothing', async () => {
    const session = newSession();
    const hidden = { ...hello };
    Object.defineProperty(hidden, 'providerData', { enumerable: false, value: {} });
    const forms: unknown[] = [
      null,
      { type: 'unknown' },
      { type: 'append_items', items: hello },
      { type: 'append_items', items: [hello], attempt: 1 },
      { type: 'replace_suffix', expectedSuffix: [], replacement: [hello], attempt: 1 },
      { type: 'append_items', items: [42] },
      { type: 'append_items', items: new Array(1) },
      { type: 'append_items', items: [hidden] },
      { type: 'append_items', items: new Proxy([hello], {}) },
      { type: 'append_items', items: [{ ...hello, providerData: new Uint16Array([300]) }] },
    ];
    for (const form of forms)
      await expect(
        apply(session, 'op-1', form as SessionHistoryTransaction),
        JSON.stringify(form),
      ).rejects.toThrow(UserError);
    await apply(session, 'op-1', append(hello));
    expect(await session.getItems()).toStrictEqual([hello]);
  });

  it('refuses items that cannot be stored, and records nothing', async () => {
    const session = newSession();
    const item = { ...hello, providerData: { at: new Date() } } as AgentInputItem;
    await expect(apply(session, 'op-1', append(item))).rejects.toThrow(UserError);
    await apply(session, 'op-1', append(hello));
    expect(await session.getItems()).toStrictEqual([hello]);
  });
});

describe('A history mutation', () => {
  it('replaces the function call with the given id, and keeps one of several', async () => {
    const session = newSession();
    const [old, other] = [functionCall('call-1', 'search'), functionCall('call-2', 'search')];
    await session.addItems([hello, old, other, old, hi]);
    const replacement = functionCall('call-1', 'search', '{"city":"Rome"}');
    await session.applyHistoryMutations({
      mutations: [{ type: 'replace_function_call', callId: 'call-1', replacement }],
    });
    expect(await session.getItems()).toStrictEqual([hello, replacement, other, hi]);
  });

  it('changes nothing if there is nothing to replace', async () => {
    const session = newSession();
    await session.addItems([hello]);
    const { version } = await session.conversation.items();
    const replacement = functionCall('call-1', 'search');
    await session.applyHistoryMutations({ mutations: [] });
    await session.applyHistoryMutations({
      mutations: [{ type: 'replace_function_call', callId: 'call-1', replacement }],
    });
    expect(await session.conversation.items()).toMatchObject({ version });
  });

  it('is applied to items that are added at the same time', async () => {
    const session = newSession();
    const call = functionCall('call-1', 'search');
    await session.addItems([call]);
    const replacement = functionCall('call-1', 'search', '{"done":true}');
    const mutations = [{ type: 'replace_function_call', callId: 'call-1', replacement } as const];
    await Promise.all([
      ...Array.from({ length: 5 }, () => session.addItems([hello])),
      session.applyHistoryMutations({ mutations }),
    ]);
    const items = await session.getItems();
    expect(items[0]).toStrictEqual(replacement);
    expect(items).toHaveLength(6);
  });
});

describe('A compaction', () => {
  it('replaces the history in one step', async () => {
    const session = newSession();
    await session.addItems([hello, hi, weather]);
    const summary = { type: 'compaction', encrypted_content: 'summary' } as AgentInputItem;
    await session.replaceHistoryWithCompaction([summary, weather]);
    expect(await session.getItems()).toStrictEqual([summary, weather]);
    expect(await session.conversation.items()).toMatchObject({ version: 2 });
  });
});
