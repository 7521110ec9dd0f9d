import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyFile } from '#apps/cli/verify/verify-file.js';
import { MaceClient } from '#client/index.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { Caller } from '#test/support/caller.js';
import { askedErasure, decided, execution } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const EMAIL = 'ines.varga@fastmail.test';

interface Page {
  readonly items: readonly {
    readonly index: number;
    readonly item: unknown;
    readonly at: string;
  }[];
  readonly count: number;
  readonly version: number;
}

const said = (content: string) => ({ role: 'user', content });

describe('Conversations (SPEC N4)', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let sub: string;
  /** The end of the log before these tests. */
  let begun: bigint | undefined;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    begun = await log.position();
    sub = named('agent');
    agent = await Caller.of(service, 'agent', { sub });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const read = (id: string, query = '', by = agent) =>
    by.get<Page>(`conversations/${id}/items${query}`);
  const contents = async (...of: Parameters<typeof read>) =>
    (await read(...of)).items.map(({ item }) => item);
  const append = (id: string, ...items: readonly unknown[]) =>
    agent.post(`conversations/${id}/items`, { items });
  /** Returns the stream of a conversation that was just changed. */
  const streamAt = async (position: string | null): Promise<string> => {
    const events = await log.since(begun);
    return events.find((event) => String(event.position) === position)?.stream ?? '';
  };

  it('appended items are read back oldest first, with their indexes', async () => {
    expect(await append('read', 1, said('two'))).toStrictEqual({ index: 0, count: 2, version: 1 });
    expect(await append('read', [3])).toStrictEqual({ index: 2, count: 3, version: 2 });
    const page = await read('read');
    expect(page).toMatchObject({ count: 3, version: 2 });
    expect(page.items.map(({ index, item }) => [index, item])).toStrictEqual([
      [0, 1],
      [1, said('two')],
      [2, [3]],
    ]);
    expect(await contents('read', '?last=1')).toStrictEqual([[3]]);
    expect(await contents('read', '?last=1&before=2')).toStrictEqual([said('two')]);
  });

  it('a conversation that does not exist has no items', async () => {
    expect(await read('none')).toStrictEqual({ items: [], count: 0, version: 0, clears: 0 });
  });

  it('a new conversation is refused if its id is not in Unicode NFC, and one that is not there can be read', async () => {
    const id = encodeURIComponent('cafe\u0301');
    for (const [path, body] of [
      ['items', { items: [1] }],
      ['pop', {}],
      ['clear', {}],
      ['transactions', { operation_id: 'a', from: 0, items: [1] }],
    ] as const) {
      const refused = await agent.ask<{ developer_message: string }>(
        'POST',
        `conversations/${id}/${path}`,
        { body },
      );
      expect([refused.status, refused.body.developer_message]).toStrictEqual([
        400,
        expect.stringContaining('id: must be in Unicode NFC'),
      ]);
    }
    expect(await contents(id)).toStrictEqual([]);
  });

  it('an id may be any text, and is never part of the stream’s name', async () => {
    const id = encodeURIComponent('günther & co / chat #1');
    const path = `conversations/${id}/items`;
    const { headers } = await agent.did('POST', path, { body: { items: ['a'] } });
    expect(await contents(id)).toStrictEqual(['a']);
    const stream = await streamAt(headers.get('mace-position'));
    expect(stream).toMatch(/^conversation-[0-9a-f]{64}$/);
    expect((await log.events(stream))[0]?.data).toMatchObject({
      conversation: {
        conversation_id: 'günther & co / chat #1',
        owner: { sub, user_id: null },
      },
    });
  });

  it('a pop takes the last item, and nothing from an empty conversation', async () => {
    await append('pop', 'a', 'b');
    const pop = () => agent.post('conversations/pop/pop');
    expect(await pop()).toStrictEqual({ item: 'b', count: 1, version: 2 });
    expect(await pop()).toStrictEqual({ item: 'a', count: 0, version: 3 });
    expect(await pop()).toStrictEqual({ item: null, count: 0, version: 4 });
    expect(await read('pop')).toMatchObject({ items: [], count: 0 });
  });

  it('I7 a retried pop returns the item of its first attempt and takes no other', async () => {
    await append('pop-again', 'a', 'b');
    const pop = () => agent.post('conversations/pop-again/pop', {}, { key: named('pop-again') });
    const first = await pop();
    await append('pop-again', 'c');
    expect(await pop()).toStrictEqual(first);
    expect(await contents('pop-again')).toStrictEqual(['a', 'c']);
  });

  it('X3 what was cleared or replaced is still read at an earlier version', async () => {
    await append('clear', 'a', 'b');
    await agent.post('conversations/clear/clear');
    await append('clear', 'c');
    expect(await read('clear')).toMatchObject({ items: [{ item: 'c' }], clears: 1 });
    expect(await contents('clear', '?version=1')).toStrictEqual(['a', 'b']);
    expect(await read('clear', '?version=0')).toMatchObject({ items: [], version: 0, clears: 0 });
    const ahead = 'conversations/clear/items?version=4';
    await agent.refused('INVALID_INPUT', 'GET', ahead);
  });

  it('a transaction replaces the suffix once for each operation_id', async () => {
    await append('suffix', 'a', 'b', 'c');
    const path = 'conversations/suffix/transactions';
    const body = { operation_id: 'op-1', from: 1, items: ['x'] };
    const first = await agent.post(path, body);
    expect(first).toStrictEqual({ index: 1, count: 2, version: 2 });
    await append('suffix', 'd');
    expect(await agent.post(path, body)).toStrictEqual(first);
    expect(await contents('suffix')).toStrictEqual(['a', 'x', 'd']);
    const other = { ...body, items: ['y'] };
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', path, { body: other });
  });

  it('a transaction that changes nothing is remembered as well', async () => {
    await append('nothing', 'a');
    const path = 'conversations/nothing/transactions';
    const body = { operation_id: 'op-1', from: 1, items: [] };
    const first = await agent.post(path, body);
    await append('nothing', 'b');
    expect(await agent.post(path, body)).toStrictEqual(first);
    expect(await contents('nothing')).toStrictEqual(['a', 'b']);
  });

  it('a transaction with expected_suffix changes only a conversation that ends with it', async () => {
    await append('expected', 'a', { b: 1, c: EMAIL });
    const path = 'conversations/expected/transactions';
    const body = { operation_id: 'op-1', expected_suffix: [{ c: EMAIL, b: 1 }], items: ['x'] };
    const wrong = { ...body, operation_id: 'op-2', expected_suffix: ['a'] };
    await agent.refused('VERSION_CONFLICT', 'POST', path, { body: wrong });
    const long = { ...body, operation_id: 'op-3', expected_suffix: ['z', 'a', { b: 1, c: EMAIL }] };
    await agent.refused('VERSION_CONFLICT', 'POST', path, { body: long });
    const first = await agent.post(path, body);
    expect(await agent.post(path, body)).toStrictEqual(first);
    expect(await contents('expected')).toStrictEqual(['a', 'x']);
  });

  it('an Idempotency-Key with a transaction still belongs to one body', async () => {
    const path = 'conversations/keyed/transactions';
    const key = named('keyed');
    const body = { operation_id: 'op-1', from: 0, items: ['a'] };
    await agent.post(path, body, { key });
    const other = { body: { ...body, operation_id: 'op-2' }, key };
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', path, other);
  });

  it('expected_version lets a change through only at that version; 0 means a new conversation', async () => {
    const path = 'conversations/versions/items';
    const at = (expected_version: number) => ({ items: ['a'], expected_version });
    await agent.post(path, at(0));
    await agent.refused('VERSION_CONFLICT', 'POST', path, { body: at(0) });
    await agent.post(path, at(1));
    await agent.refused('VERSION_CONFLICT', 'POST', 'conversations/versions/clear', {
      body: { expected_version: 1 },
    });
  });

  it('a request outside of the limits is INVALID_INPUT', async () => {
    const items = 'conversations/limits/items';
    for (const list of [[], Array.from({ length: 501 }, () => 1), ['x'.repeat(65_537)], 'a', null])
      await agent.refused('INVALID_INPUT', 'POST', items, { body: { items: list } });
    const transactions = 'conversations/limits/transactions';
    for (const range of [
      {},
      { from: 1 },
      { from: -1 },
      { from: 0, to: 1 },
      { from: 0, expected_suffix: [] },
      { expected_suffix: [], to: 0 },
    ])
      await agent.refused('INVALID_INPUT', 'POST', transactions, {
        body: { operation_id: 'op', items: [1], ...range },
      });
    for (const query of ['last=0', 'last=1001', 'before=-1', 'version=1', 'owner=mira'])
      await agent.refused('INVALID_INPUT', 'GET', `${items}?${query}`);
    for (const id of ['%00', 'x'.repeat(257)])
      await agent.refused('INVALID_INPUT', 'GET', `conversations/${id}/items`);
    expect(await read('limits')).toMatchObject({ version: 0 });
  });

  it('each owner has a conversation of its own under the same id', async () => {
    const other = await Caller.of(service, 'agent', { sub: named('other') });
    const user = named('shared').toLowerCase();
    const first = await Caller.of(service, 'agent', { sub: named('first'), user_id: user });
    const second = await Caller.of(service, 'user', { sub: `user_${user}` });
    await append('same', 'mine');
    await first.post('conversations/same/items', { items: ['the user’s'] });
    expect(await contents('same', '', other)).toStrictEqual([]);
    expect(await contents('same', '', second)).toStrictEqual(['the user’s']);
    for (const owner of [`user:${user}`, `sub:${sub}`])
      await other.refused('PERMISSION_DENIED', 'GET', `conversations/same/items?owner=${owner}`);
  });

  describe('with personal data in an item', () => {
    const redacted = { redacted: true, type: 'email', redaction_reason: 'PII_DETECTED' };

    it('P3 the item is sealed, its owner reads it whole, and auditors read it redacted', async () => {
      const path = 'conversations/sealed/items';
      const items = [said(EMAIL), said('hello')];
      const { headers } = await agent.did('POST', path, { body: { items } });
      const [event] = await log.events(await streamAt(headers.get('mace-position')));
      expect(JSON.stringify(event?.data)).not.toContain(EMAIL);
      expect(event?.data).toMatchObject({ items: [{ sealed: { type: 'email' } }, { value: {} }] });
      expect(await contents('sealed')).toStrictEqual(items);
      const query = `?owner=sub:${sub}`;
      for (const role of ['auditor', 'council', 'admin'] as const) {
        const reader = await Caller.of(service, role);
        expect(await contents('sealed', query, reader)).toStrictEqual([redacted, said('hello')]);
      }
      const auditor = await Caller.of(service, 'auditor');
      await auditor.refused('PERMISSION_DENIED', 'GET', `${path}${query}&unredacted=true`);
      const admin = await Caller.of(service, 'admin');
      expect(await contents('sealed', `${query}&unredacted=true`, admin)).toStrictEqual(items);
    });

    it('a popped item is returned with the personal data, not redacted', async () => {
      await append('sealed-pop', said(EMAIL));
      expect(await agent.post('conversations/sealed-pop/pop')).toMatchObject({ item: said(EMAIL) });
    });

    it('G6 after an erasure the item is shown as erased, and the stream still replays', async () => {
      const owner = named('erased-agent');
      const erased = await Caller.of(service, 'agent', { sub: owner });
      const council = await Caller.of(service, 'council');
      const admin = await Caller.of(service, 'admin');
      const path = 'conversations/erased/items';
      const { headers } = await erased.did('POST', path, { body: { items: [EMAIL, 'kept'] } });
      const stream = await streamAt(headers.get('mace-position'));
      await agent.refused('PERMISSION_DENIED', 'POST', 'action-requests', {
        body: {
          kind: 'erasure',
          subject: `sub:${owner}`,
          reason_code: 'legal_erasure',
          justification: 'Not mine.',
        },
      });
      const request = await askedErasure(erased, `sub:${owner}`);
      await decided(council, request);
      const receipt = await admin.post(execution(request));
      expect(receipt).toMatchObject({ manifest: { events: 1, streams: 1 } });
      expect(await contents('erased', '', erased)).toStrictEqual([{ erased: true }, 'kept']);
      expect(await contents('erased', `?owner=sub:${owner}`, admin)).toStrictEqual([
        { erased: true },
        'kept',
      ]);
      const events = readRecorded(log.eventStore, stream);
      expect(await rulesFor(stream)?.replay(stream, events)).toMatchObject({ identical: true });
    });
  });

  it('X1 the owner and auditors replay a conversation; nobody replays what does not exist', async () => {
    await append('replayed', 'a', EMAIL);
    await agent.post('conversations/replayed/pop');
    const path = 'conversations/replayed/replays';
    const report = { identical: true, events_checked: 2, owed: 0 };
    expect(await agent.post(path, { mode: 'strict' })).toMatchObject(report);
    const auditor = await Caller.of(service, 'auditor');
    expect(await auditor.post(`${path}?owner=sub:${sub}`)).toMatchObject(report);
    await auditor.refused('NOT_FOUND', 'POST', path, { body: {} });
    await agent.refused('NOT_FOUND', 'GET', 'conversations/never/bundle');
  });

  it('X4 the exported bundle verifies offline, and an edited one does not', async () => {
    const folder = temporaryFolder('conversation-bundle');
    const token = await service.token('agent', { sub });
    const chat = new MaceClient({ baseUrl: service.url, token }).conversation('exported');
    await chat.append(['a', { mail: EMAIL }]);
    await chat.clear();
    const lines: string[] = [];
    for await (const line of chat.bundle()) lines.push(`${line}\n`);
    const text = lines.join('');
    expect(text).not.toContain(EMAIL);
    const [intact, edited] = [join(folder.path, 'intact'), join(folder.path, 'edited')];
    writeFileSync(intact, text);
    writeFileSync(edited, text.replace('"value":"a"', '"value":"b"'));
    expect(await verifyFile(intact)).toMatchObject({ intact: true, events: 2, ended: false });
    expect(await verifyFile(edited)).toMatchObject({ finding: { problem: 'edited', number: 0 } });
    folder.remove();
  });

  it('the SDK appends, reads, pops, clears and replaces', async () => {
    const token = await service.token('agent', { sub: named('sdk') });
    const mace = new MaceClient({ baseUrl: service.url, token });
    const chat = mace.conversation('sdk chat/1');
    expect(await chat.append(['a', { b: 1 }], { expectedVersion: 0 })).toMatchObject({ count: 2 });
    expect((await chat.items({ last: 1 })).items).toMatchObject([{ index: 1, item: { b: 1 } }]);
    const transaction = { operation_id: 'op', from: 1, items: ['c', 'd'] };
    const replaced = await chat.transact(transaction);
    expect(await chat.transact(transaction)).toStrictEqual(replaced);
    expect(await chat.pop()).toMatchObject({ item: 'd', count: 2 });
    expect((await chat.items({ version: 1 })).items).toMatchObject([{}, { item: { b: 1 } }]);
    expect(await chat.clear()).toMatchObject({ count: 0 });
    expect(await chat.items()).toMatchObject({ items: [], version: 4 });
  });

  it('the SDK reads a long conversation whole, page by page, at one version', async () => {
    const token = await service.token('agent', { sub: named('sdk-long') });
    const chat = new MaceClient({ baseUrl: service.url, token }).conversation('long');
    for (let start = 0; start < 2_500; start += 500)
      await chat.append(Array.from({ length: 500 }, (_, place) => start + place));
    const { items, count } = await chat.items();
    expect(count).toBe(2_500);
    expect(items.map(({ item }) => item)).toStrictEqual(Array.from({ length: 2_500 }, (_, n) => n));
    expect((await chat.items({ last: 1_200 })).items[0]).toMatchObject({ index: 1_300 });
  });
});
