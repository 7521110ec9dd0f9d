import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MaceClient } from '#client/index.js';
import { threadDecider } from '#domain/thread/thread.decider.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { Caller } from '#test/support/caller.js';
import { askedErasure, decided, execution } from '#test/support/data-subject.js';
import { idsInOrder } from '#test/support/hard-inputs.mjs';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const EMAIL = 'ines.varga@fastmail.test';
const CARD = '4539148803436467';
const LARGE = 'large '.repeat(20_000);

interface Read {
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly checkpoint: unknown;
  readonly metadata: unknown;
  readonly channel_values: Readonly<Record<string, unknown>>;
  readonly pending_writes: readonly { readonly task_id: string; readonly value: unknown }[];
  readonly source: { readonly stream: string; readonly number: number };
}
interface Page {
  readonly checkpoints: readonly Read[];
  readonly next_cursor: string | null;
}

const query = (fields: Readonly<Record<string, string | number>>) =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );

describe('Threads', () => {
  const folder = temporaryFolder('threads');
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let sub: string;

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_DATA_DIR: folder.path } });
    log = new LogReader(service.eventStore.url);
    sub = named('agent');
    agent = await Caller.of(service, 'agent', { sub });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
    folder.remove();
  });

  const checkpoint = (thread_id: string, checkpoint_id: string, more: object = {}) => ({
    thread_id,
    checkpoint_id,
    checkpoint: { v: 4, id: checkpoint_id },
    metadata: { source: 'loop', step: 0 },
    channel_versions: {},
    channel_values: {},
    ...more,
  });
  const put = (body: object, by = agent) =>
    by.did<{ version: number }>('PUT', 'threads/checkpoints', { body });
  const putWrites = (body: object) => agent.did('PUT', 'threads/writes', { body });
  const get = (thread_id: string, more: Record<string, string | number> = {}, by = agent) =>
    by.get<Read>(`threads/checkpoints?${query({ thread_id, ...more }).toString()}`);
  const list = (body: object, by = agent) => by.post<Page>('threads/list', body);
  it('a new thread is refused if its id is not in Unicode NFC, and can be read', async () => {
    const thread_id = 'cafe\u0301';
    const writes = [{ index: 0, channel: 'a', value: 1 }];
    for (const [path, body] of [
      ['threads/checkpoints', checkpoint(thread_id, '1')],
      ['threads/writes', { thread_id, checkpoint_id: '1', task_id: 'a', writes }],
    ] as const) {
      const refused = await agent.ask<{ developer_message: string }>('PUT', path, { body });
      expect([refused.status, refused.body.developer_message]).toStrictEqual([
        400,
        expect.stringContaining('thread_id: must be in Unicode NFC'),
      ]);
    }
    expect((await list({ thread_id })).checkpoints).toStrictEqual([]);
  });

  const idsOf = ({ checkpoints }: Page) => checkpoints.map(({ checkpoint_id }) => checkpoint_id);
  const events = async (thread_id: string) => log.events((await get(thread_id)).source.stream);

  it('a checkpoint has the values of its step and those that earlier steps have left', async () => {
    const values = { plan: { goal: 'ship' }, messages: ['hello'] };
    await put(
      checkpoint('values', 'c1', {
        channel_versions: { plan: 1, messages: 1 },
        channel_values: values,
      }),
    );
    await put(
      checkpoint('values', 'c2', {
        parent_checkpoint_id: 'c1',
        channel_versions: { plan: 1, messages: 2, task: 1 },
        channel_values: { messages: ['hello', 'there'] },
        empty_channels: ['task'],
      }),
    );
    expect(await get('values')).toMatchObject({
      checkpoint_id: 'c2',
      parent_checkpoint_id: 'c1',
      checkpoint: { v: 4, id: 'c2' },
      channel_versions: { plan: 1, messages: 2, task: 1 },
      channel_values: { plan: { goal: 'ship' }, messages: ['hello', 'there'] },
    });
    expect(await get('values', { checkpoint_id: 'c1' })).toMatchObject({ channel_values: values });
  });

  it('the name of the stream contains nothing of the thread, and its first event names it', async () => {
    await put(checkpoint('günther & co #1', 'c1', { namespace: 'sub:graph|deeper' }));
    const { source } = await get('günther & co #1', { namespace: 'sub:graph|deeper' });
    expect(source.stream).toMatch(/^thread-[0-9a-f]{64}$/);
    expect((await log.events(source.stream))[0]?.data).toMatchObject({
      thread: {
        thread_id: 'günther & co #1',
        namespace: 'sub:graph|deeper',
        owner: { sub, user_id: null },
      },
    });
  });

  it('I7 an Idempotency-Key belongs to one body, also if another body names another thread', async () => {
    const key = named('key');
    const ask = (thread_id: string) =>
      agent.ask('PUT', 'threads/checkpoints', { body: checkpoint(thread_id, 'c1'), key });
    expect((await ask('keyed')).status).toBe(200);
    expect((await ask('keyed')).status).toBe(200);
    expect((await ask('keyed-other')).body.error_code).toBe('IDEMPOTENCY_MISMATCH');
    expect(await events('keyed')).toHaveLength(1);
    await put(checkpoint('keyed-other', 'c1'));
    const remove = (thread_id: string) =>
      agent.ask('DELETE', `threads?thread_id=${thread_id}`, { key });
    expect((await remove('keyed')).status).toBe(200);
    expect((await remove('keyed')).status).toBe(200);
    expect((await remove('keyed-other')).body.error_code).toBe('IDEMPOTENCY_MISMATCH');
    expect(await events('keyed-other')).toHaveLength(1);
  });

  it('two processes that put different checkpoints at once both succeed', async () => {
    const ids = Array.from({ length: 8 }, (_, place) => `c${place}`);
    await Promise.all(ids.map((id) => put(checkpoint('race', id))));
    expect(idsOf(await list({ thread_id: 'race' })).sort()).toStrictEqual(ids);
  });

  describe('A list', () => {
    let owner: Caller;

    beforeAll(async () => {
      owner = await Caller.of(service, 'agent', { sub: named('lister') });
      for (const [thread_id, namespace, id, source] of [
        ['one', '', '1', 'input'],
        ['one', '', '2', 'loop'],
        ['one', 'child', '3', 'loop'],
        ['two', '', '4', 'input'],
      ] as const)
        await put(
          checkpoint(thread_id, id, { namespace, metadata: { source, nested: { id, more: 1 } } }),
          owner,
        );
    });

    it('has the checkpoints of all threads of its owner, the newest first', async () => {
      expect(idsOf(await list({}, owner))).toStrictEqual(['4', '3', '2', '1']);
    });

    it('can be of one thread, one namespace, before an id, or of one id', async () => {
      const found = async (asked: object) => idsOf(await list(asked, owner));
      expect(await found({ thread_id: 'one' })).toStrictEqual(['3', '2', '1']);
      expect(await found({ thread_id: 'one', namespace: '' })).toStrictEqual(['2', '1']);
      expect(await found({ namespace: 'child' })).toStrictEqual(['3']);
      expect(await found({ before: '3' })).toStrictEqual(['2', '1']);
      expect(await found({ checkpoint_id: '2' })).toStrictEqual(['2']);
      expect(await found({ thread_id: 'three' })).toStrictEqual([]);
    });

    it('is in the order in which each id was first put, whatever the ids are', async () => {
      const other = await Caller.of(service, 'agent', { sub: named('counter') });
      const ids = idsInOrder(12);
      for (const id of ids) await put(checkpoint('counted', id), other);
      await put(checkpoint('counted', '3', { metadata: { again: true } }), other);
      const newest = [...ids].reverse();
      const found = async (asked: object) =>
        idsOf(await list({ thread_id: 'counted', ...asked }, other));
      expect(await found({})).toStrictEqual(newest);
      expect(await found({ before: '10' })).toStrictEqual(newest.slice(3));
      expect(await found({ before: 'unknown' })).toStrictEqual([]);
      const pages: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await list({ limit: 5, ...(cursor && { cursor }) }, other);
        pages.push(...idsOf(page));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(pages).toStrictEqual(newest);
      const read = await get('counted', {}, other);
      expect(read.checkpoint_id).toBe('12');
    });

    it('can be filtered by metadata', async () => {
      const found = async (filter: object) => idsOf(await list({ filter }, owner));
      expect(await found({ source: 'input' })).toStrictEqual(['4', '1']);
      expect(await found({ source: 'input', nested: { id: '1' } })).toStrictEqual(['1']);
      expect(await found({ source: "input' or true --" })).toStrictEqual([]);
      expect(await found({})).toStrictEqual(['4', '3', '2', '1']);
    });
  });

  describe('A deletion', () => {
    it('hides all namespaces of the thread and no other thread, and the log keeps the events', async () => {
      for (const namespace of ['', 'child']) await put(checkpoint('deleted', 'c1', { namespace }));
      await put(checkpoint('deleted-not', 'c1'));
      const { stream } = (await get('deleted')).source;
      const { body } = await agent.did('DELETE', 'threads?thread_id=deleted');
      expect(body).toStrictEqual({ namespaces: 2 });
      for (const namespace of ['', 'child'])
        await agent.refused(
          'NOT_FOUND',
          'GET',
          `threads/checkpoints?${query({ thread_id: 'deleted', namespace }).toString()}`,
        );
      expect(idsOf(await list({ thread_id: 'deleted' }))).toStrictEqual([]);
      expect(await get('deleted-not')).toMatchObject({ checkpoint_id: 'c1' });
      expect((await log.events(stream)).map(({ type }) => type)).toStrictEqual([
        'checkpoint_put',
        'thread_deleted',
      ]);
      expect(await get('deleted', { version: 1 })).toMatchObject({ checkpoint_id: 'c1' });
    });

    it('I7 that is retried deletes what the first attempt did, whatever was written since, and answers as it did', async () => {
      const removed = async (id: string) =>
        (await agent.did('DELETE', `threads?thread_id=${id}`, { key: `retried-${id}` })).body;
      const ids = async (thread_id: string) => idsOf(await list({ thread_id }));
      await put(checkpoint('retried', 'c1'));
      await put(checkpoint('retried', 'c1', { namespace: 'hidden' }));
      await agent.did('DELETE', 'threads?thread_id=retried');
      await put(checkpoint('retried', 'c2'));
      expect(await removed('retried')).toStrictEqual({ namespaces: 1 });
      await put(checkpoint('retried', 'c3'));
      for (const namespace of ['hidden', 'new'])
        await put(checkpoint('retried', 'c4', { namespace }));
      expect(await removed('retried')).toStrictEqual({ namespaces: 1 });
      expect(await ids('retried')).toStrictEqual(['c4', 'c4', 'c3']);
      expect(await removed('empty')).toStrictEqual({ namespaces: 0 });
      await put(checkpoint('empty', 'c1'));
      expect(await removed('empty')).toStrictEqual({ namespaces: 0 });
      expect(await ids('empty')).toStrictEqual(['c1']);
    });
  });

  it('X3 a thread is read as it was after an earlier event', async () => {
    await put(checkpoint('travel', 'c1'));
    await put(checkpoint('travel', 'c2'));
    expect(await get('travel', { version: 1 })).toMatchObject({ checkpoint_id: 'c1' });
    const path = `threads/checkpoints?thread_id=travel&version=`;
    await agent.refused('NOT_FOUND', 'GET', `${path}0`);
    await agent.refused('INVALID_INPUT', 'GET', `${path}3`);
  });

  describe('A large value', () => {
    const artifacts = async () => {
      const place = join(folder.path, 'artifacts');
      const files = await readdir(place, { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.name !== 'store-id')
        .map((file) => join(file.parentPath, file.name));
    };

    it('is stored once as an artifact, and read back whole', async () => {
      const before = (await artifacts()).length;
      const values = (text: string) => ({
        channel_versions: { a: 1 },
        channel_values: { a: { text } },
      });
      await put(checkpoint('large', 'c1', values(LARGE)));
      await put(checkpoint('large', 'c2', values(LARGE)));
      expect((await artifacts()).length).toBe(before + 1);
      const [event] = await events('large');
      expect(JSON.stringify(event?.data).length).toBeLessThan(2_000);
      for (const checkpoint_id of ['c1', 'c2'])
        expect((await get('large', { checkpoint_id })).channel_values).toStrictEqual({
          a: { text: LARGE },
        });
    });

    it('with personal data is an artifact that is sealed', async () => {
      const before = await artifacts();
      const text = `${LARGE}${EMAIL}`;
      await put(
        checkpoint('large-sealed', 'c1', {
          channel_versions: { a: 1 },
          channel_values: { a: text },
        }),
      );
      const added = (await artifacts()).filter((file) => !before.includes(file));
      expect(added).toHaveLength(1);
      const stored = await readFile(added[0] ?? '', 'utf8');
      expect(stored).not.toContain('large');
      expect(Buffer.from(stored, 'base64').toString('latin1')).not.toContain(EMAIL);
      expect((await get('large-sealed')).channel_values).toStrictEqual({ a: text });
      const auditor = await Caller.of(service, 'auditor');
      const shown = await get('large-sealed', { owner: `sub:${sub}` }, auditor);
      expect(shown.channel_values).toMatchObject({ a: { redacted: true, type: 'email' } });
    });

    it('together with others fits into one append, whatever their sizes', async () => {
      const values = Object.fromEntries(
        Array.from({ length: 70 }, (_, place) => [`c${place}`, `${place} `.repeat(4_000)]),
      );
      const channel_versions = Object.fromEntries(Object.keys(values).map((name) => [name, 1]));
      await put(checkpoint('many', 'c1', { channel_versions, channel_values: values }));
      expect((await get('many')).channel_values).toStrictEqual(values);
    });

    it('whose artifact is lost is answered with INTEGRITY_FAILURE and no other detail', async () => {
      const before = await artifacts();
      const text = `lost ${LARGE}`;
      await put(
        checkpoint('lost', 'c1', { channel_versions: { a: 1 }, channel_values: { a: text } }),
      );
      for (const file of await artifacts()) if (!before.includes(file)) await rm(file);
      await agent.refused('INTEGRITY_FAILURE', 'GET', 'threads/checkpoints?thread_id=lost');
    });
  });

  describe('Personal data', () => {
    const personal = {
      metadata: { source: 'loop', note: EMAIL },
      channel_versions: { a: 1, b: 1 },
      channel_values: { a: EMAIL, b: 'hello' },
    };

    it('P3 is sealed: the owner reads it whole, others read it redacted, and no index holds it', async () => {
      await put(checkpoint('sealed', 'c1', personal));
      await putWrites({
        thread_id: 'sealed',
        checkpoint_id: 'c1',
        task_id: 't',
        writes: [{ index: 0, channel: 'a', value: EMAIL }],
      });
      expect(JSON.stringify((await events('sealed')).map(({ data }) => data))).not.toContain(EMAIL);
      expect(await get('sealed')).toMatchObject({
        metadata: personal.metadata,
        channel_values: personal.channel_values,
        pending_writes: [{ value: EMAIL }],
      });
      expect(idsOf(await list({ thread_id: 'sealed' }))).toStrictEqual(['c1']);
      expect(idsOf(await list({ thread_id: 'sealed', filter: { source: 'loop' } }))).toStrictEqual(
        [],
      );
      const owner = `sub:${sub}`;
      const redacted = { redacted: true, type: 'email', redaction_reason: 'PII_DETECTED' };
      const hidden = {
        metadata: redacted,
        channel_values: { a: redacted, b: 'hello' },
        pending_writes: [{ value: redacted }],
      };
      for (const role of ['auditor', 'council', 'admin'] as const) {
        const reader = await Caller.of(service, role);
        expect(await get('sealed', { owner }, reader)).toMatchObject(hidden);
        const page = await list({ thread_id: 'sealed', owner }, reader);
        expect(page.checkpoints[0]).toMatchObject(hidden);
      }
      const admin = await Caller.of(service, 'admin');
      expect(await get('sealed', { owner, unredacted: 'true' }, admin)).toMatchObject({
        channel_values: personal.channel_values,
      });
    });

    it('I4 in an id, a namespace, or the name or version of a channel is refused', async () => {
      for (const body of [
        checkpoint(EMAIL, 'c1'),
        checkpoint('blocked', EMAIL),
        checkpoint('blocked', 'c1', { namespace: EMAIL }),
        checkpoint('blocked', 'c1', { channel_versions: { [EMAIL]: 1 } }),
        checkpoint('blocked', 'c1', { channel_versions: { a: EMAIL } }),
        checkpoint('blocked', 'c1', { channel_versions: { a: CARD } }),
        checkpoint('blocked', 'c1', { channel_versions: { a: Number(CARD) } }),
      ])
        await agent.refused('PRIVACY_BLOCKED', 'PUT', 'threads/checkpoints', { body });
    });

    it('is not seen in the version that a graph counts and ends with random digits', async () => {
      const version = `${'2'.padStart(32, '0')}.0.${CARD}`;
      const channel_versions = { a: version };
      await put(checkpoint('random', 'c1', { channel_versions, channel_values: { a: 1 } }));
      expect(await get('random')).toMatchObject({ channel_versions });
    });

    it('that bytes hold is sealed, whatever the form of the bytes', async () => {
      const text = `to ${EMAIL}`;
      const bytesOf: Readonly<Record<string, Buffer>> = {
        beside_nul: Buffer.from(`\0\x01${text}\0`),
        utf16: Buffer.from(text, 'utf16le'),
        utf16_be: Buffer.from(text, 'utf16le').swap16(),
        gzip: gzipSync(text),
        escaped: Buffer.from(JSON.stringify([...text].join('\0'))),
      };
      const forms = Object.entries(bytesOf).flatMap(([name, bytes]): [string, unknown][] => [
        [`${name}_base64`, { type: 'bytes', base64: bytes.toString('base64') }],
        [`${name}_url`, `data:application/octet-stream;base64,${bytes.toString('base64')}`],
        [`${name}_array`, { ...bytes }],
        [`${name}_buffer`, bytes.toJSON()],
        [`${name}_list`, [...bytes]],
      ]);
      const channel_values = Object.fromEntries(forms);
      const channel_versions = Object.fromEntries(forms.map(([name]) => [name, 1]));
      await put(checkpoint('bytes', 'c1', { channel_versions, channel_values }));
      const [event] = await events('bytes');
      const stored = event?.data['channel_values'] as readonly object[];
      expect(stored.filter((one) => !('sealed' in one))).toStrictEqual([]);
      expect((await get('bytes')).channel_values).toStrictEqual(channel_values);
    });

    it('G6 after an erasure it is shown as erased, also from an artifact, and the stream still replays', async () => {
      const owner = named('erased-agent');
      const erased = await Caller.of(service, 'agent', { sub: owner });
      const council = await Caller.of(service, 'council');
      const admin = await Caller.of(service, 'admin');
      const values = { a: EMAIL, b: 'hello', c: `${LARGE}${EMAIL}` };
      const channel_versions = { a: 1, b: 1, c: 1 };
      await put(checkpoint('erased', 'c1', { channel_versions, channel_values: values }), erased);
      const request = await askedErasure(erased, `sub:${owner}`);
      await decided(council, request);
      const receipt = await admin.post(execution(request));
      expect(receipt).toMatchObject({ manifest: { events: 1, streams: 1 } });
      const { channel_values, source } = await get('erased', {}, erased);
      expect(channel_values).toStrictEqual({
        a: { erased: true },
        b: 'hello',
        c: { erased: true },
      });
      const recorded = readRecorded(log.eventStore, source.stream);
      expect(await rulesFor(source.stream)?.replay(source.stream, recorded)).toMatchObject({
        identical: true,
      });
    });
  });

  it('X1 X4 a thread is replayed, and exported as a bundle that verifies offline', async () => {
    await put(
      checkpoint('proved', 'c1', { channel_versions: { a: 1 }, channel_values: { a: EMAIL } }),
    );
    await agent.did('DELETE', 'threads?thread_id=proved');
    const report = await agent.post('threads/replays', { thread_id: 'proved', mode: 'strict' });
    expect(report).toMatchObject({ identical: true, events_checked: 2 });
    const mace = new MaceClient({ baseUrl: service.url, token: agent.token });
    const lines: string[] = [];
    for await (const line of mace.threads.bundle({ thread_id: 'proved' })) lines.push(line);
    expect(await verifyBundle(threadDecider, lines)).toMatchObject({
      intact: true,
      header: { stream: report['stream'], event_count: 2 },
    });
    await agent.refused('NOT_FOUND', 'GET', 'threads/bundle?thread_id=unknown');
  });

  it('the SDK puts, reads, lists and deletes, and a thread that does not exist is undefined', async () => {
    const { threads } = new MaceClient({ baseUrl: service.url, token: agent.token });
    expect(await threads.get({ thread_id: 'sdk' })).toBeUndefined();
    const body = {
      checkpoint: {},
      metadata: {},
      channel_versions: {},
      channel_values: {},
      thread_id: 'sdk',
    };
    for (const checkpoint_id of ['1', '2', '3'])
      expect(await threads.putCheckpoint({ ...body, checkpoint_id })).toHaveProperty('version');
    const found: string[] = [];
    for await (const { checkpoint_id } of threads.all({ thread_id: 'sdk', limit: 2 }))
      found.push(checkpoint_id);
    expect(found).toStrictEqual(['3', '2']);
    expect(await threads.delete('sdk')).toStrictEqual({ namespaces: 1 });
    expect(await threads.get({ thread_id: 'sdk' })).toBeUndefined();
  });

  it('a deletion that the SDK sends again after a lost answer keeps what was written since', async () => {
    await put(checkpoint('lost', 'c1'));
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (idsOf(await list({ thread_id: 'lost' })).length > 0) return answer;
      await put(checkpoint('lost', 'c2'));
      throw new TypeError('the connection broke');
    };
    const mace = new MaceClient({ baseUrl: service.url, token: agent.token, fetch: losing });
    expect(await mace.threads.delete('lost')).toStrictEqual({ namespaces: 1 });
    expect(idsOf(await list({ thread_id: 'lost' }))).toStrictEqual(['c2']);
  });

  it('the names and versions of many channels are scanned in slices, so other requests have their turns', async () => {
    const channels = Array.from({ length: 30_000 }, (_, place) => `chan_${place}`);
    const channel_versions = Object.fromEntries(
      channels.map((name, place) => [name, `v.${place}`]),
    );
    const began = performance.now();
    let [last, longest] = [began, 0];
    const turns = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await put(checkpoint('channels', 'c1', { channel_versions }));
    clearInterval(turns);
    expect(longest / (performance.now() - began)).toBeLessThan(1 / 5);
  });

  it('a thread of the same id belongs to each owner, and nobody else reads it', async () => {
    const other = await Caller.of(service, 'agent', { sub: named('other') });
    await put(checkpoint('shared', 'mine'));
    await put(checkpoint('shared', 'theirs'), other);
    expect(await get('shared')).toMatchObject({ checkpoint_id: 'mine' });
    expect(await get('shared', {}, other)).toMatchObject({ checkpoint_id: 'theirs' });
    const path = `threads/checkpoints?thread_id=shared&owner=sub:${sub}`;
    await other.refused('PERMISSION_DENIED', 'GET', path);
    await other.did('DELETE', 'threads?thread_id=shared');
    expect(await get('shared')).toMatchObject({ checkpoint_id: 'mine' });
  });

  it('a user’s threads are the same for the user and for an agent that acts for it', async () => {
    const user_id = named('mira').toLowerCase();
    const user = await Caller.of(service, 'user', { sub: user_id });
    const helper = await Caller.of(service, 'agent', { sub: named('helper'), user_id });
    await put(checkpoint('both', 'c1'), helper);
    expect(await get('both', {}, user)).toMatchObject({ checkpoint_id: 'c1' });
  });

  it('bad input is INVALID_INPUT and adds nothing', async () => {
    const bodies = [
      checkpoint('', 'c1'),
      checkpoint('bad', ''),
      checkpoint('bad', 'c1', { checkpoint: 'text' }),
      checkpoint('bad', 'c1', { channel_versions: { a: true } }),
      checkpoint('bad', 'c1', { channel_values: { a: 1 } }),
      checkpoint('bad', 'c1', { parent_checkpoint_id: 'c1' }),
      checkpoint('bad', 'c1', { unknown: 1 }),
      checkpoint('bad', 'c\u0007'),
    ];
    for (const body of bodies)
      await agent.refused('INVALID_INPUT', 'PUT', 'threads/checkpoints', { body });
    const write = { index: 0, channel: 'a', value: 1 };
    const place = { thread_id: 'bad', checkpoint_id: 'c1', task_id: 't' };
    for (const body of [
      { ...place, writes: [write, write] },
      { ...place, writes: [{ ...write, index: 0.5 }] },
      { ...place, task_id: undefined, writes: [write] },
    ])
      await agent.refused('INVALID_INPUT', 'PUT', 'threads/writes', { body });
    const nul = Buffer.from('["\\u0000","thread"]').toString('base64url');
    for (const cursor of ['bm8', nul])
      await agent.refused('INVALID_INPUT', 'POST', 'threads/list', { body: { cursor } });
    await agent.refused('NOT_FOUND', 'GET', 'threads/checkpoints?thread_id=bad');
  });
});
