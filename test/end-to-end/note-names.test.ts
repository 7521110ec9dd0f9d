import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { StreamNames } from '#apps/api/platform/stream-names.js';
import { MaceClient } from '#client/index.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';
const FORMS = [COMPOSED, DECOMPOSED];

describe('Names of notes', () => {
  let service: TestService;
  let log: LogReader;
  let caller: Caller;
  const user = named('names');
  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    caller = await Caller.of(service, 'agent', { sub: user, user_id: user });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const put = (namespace: string[], key: string, value: string) =>
    caller.did<{ version: number; stream: string }>('PUT', 'notes', {
      body: { namespace, key, value },
    });
  const get = (namespace: string[], key: string) =>
    caller.get<{ value: string; version: number }>(
      `notes?${new URLSearchParams([
        ...namespace.map((part) => ['namespace', part]),
        ['key', key],
      ] as [string, string][]).toString()}`,
    );
  const list = async (prefix: string[]) =>
    (
      await caller.did<{ notes: { key: string; value: string }[] }>('POST', 'notes/list', {
        body: { prefix },
      })
    ).body.notes;

  it('names that differ only in their Unicode form are one name', async () => {
    const root = named('one');
    const streams = new Set<string>();
    let version = 0;
    for (const part of FORMS)
      for (const key of FORMS) {
        const { body } = await put([root, part], key, `${(version += 1)}`);
        expect(body.version).toBe(version);
        streams.add(body.stream);
      }
    expect(streams.size).toBe(1);
    for (const part of FORMS)
      for (const key of FORMS)
        expect(await get([root, part], key)).toMatchObject({ value: '4', version: 4 });
    for (const part of FORMS)
      expect(await list([root, part])).toMatchObject([{ key: COMPOSED, value: '4' }]);
  });

  it('the SDK yields each note of a prefix once, and asks once for a note, whatever the form of the name', async () => {
    let requests = 0;
    const counted: typeof fetch = (...given) => {
      requests += 1;
      return fetch(...given);
    };
    const mace = new MaceClient({ baseUrl: service.url, token: caller.token, fetch: counted });
    const root = named('sdk');
    await mace.notes.put([root, DECOMPOSED], DECOMPOSED, 'a note');
    for (const part of FORMS) {
      const found: string[] = [];
      for await (const { key } of mace.notes.all({ prefix: [root, part] })) found.push(key);
      expect(found).toStrictEqual([COMPOSED]);
      expect((await mace.notes.list({ prefix: [root, part] })).notes).toHaveLength(1);
    }
    requests = 0;
    expect(await mace.notes.get([root, DECOMPOSED], 'missing')).toBeUndefined();
    expect(requests).toBe(1);
  });

  it('a note that was written before under a decomposed name is found, changed and deleted by either form', async () => {
    const namespace = [named('before')];
    // The log has a naming key once it has a note.
    await put(namespace, 'first', 'a note');
    const names = new StreamNames(
      log.eventStore,
      pino({ enabled: false }),
      new SealingKeys(TEST_KEYS.MACE_SEALING_KEY),
    );
    await names.open();
    const owner = `user:${user}`;
    const stream = await names.noteStream(owner, namespace, DECOMPOSED, 'read');
    const at = new Date().toISOString();
    const store = new AggregateStore(log.eventStore, noteDecider, {
      writeFailure: 'MEMORY_WRITE_FAIL',
    });
    await store.execute(
      stream,
      [{ type: 'put', owner, namespace, key: DECOMPOSED, value: 'old', ttl_seconds: null, at }],
      { command_id: randomUUID(), body_hash: 'a'.repeat(64), actor: user, trace_id: 'a test' },
    );
    for (const key of FORMS) expect(await get(namespace, key)).toMatchObject({ value: 'old' });
    expect((await put(namespace, COMPOSED, 'new')).body).toMatchObject({ version: 2, stream });
    for (const key of FORMS) expect(await get(namespace, key)).toMatchObject({ value: 'new' });
    const query = new URLSearchParams({ namespace: namespace[0] as string, key: COMPOSED });
    await caller.did('DELETE', `notes?${query.toString()}`);
    for (const key of FORMS) await expect(get(namespace, key)).rejects.toThrow(/answered with 404/);
  });
});
