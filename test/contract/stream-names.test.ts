import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StreamNames } from '#apps/api/platform/stream-names.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { LOG_IDENTITY_STREAM } from '#domain/stream-names.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { identifyLog } from '#event-store/log-id.js';
import { BadConfig } from '#platform/config/bad-config.js';
import { openLogger } from '#platform/start/logger.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { type OwnEventStore, startOwnEventStore } from '#test/support/servers.js';
import { mace } from '#test/support/cli-run.js';
import { collected } from './event-store-collected.js';

const OLD = 'Ru6hYk1TzWq8BnXc3Lm5Vp0Jg7Ds9Fae';
const NEW = 'Xa3vN8qLr5ZtKw0PyHb7Mc2Jd9SfGe4u';
const silent = openLogger('info', { write: () => undefined });

describe('The naming key of a log', () => {
  let server: OwnEventStore;
  let log: EventStore;

  const instance = (current = OLD, old: string[] = []) =>
    new StreamNames(log, silent, new SealingKeys(current, old));
  const opened = async (...keys: [string?, string[]?]) => {
    const names = instance(...keys);
    await names.open();
    return names;
  };
  const note = (names: StreamNames) => names.noteStream('user:mira', ['plans'], 'today');
  const recorded = () => collected(log.readStream(LOG_IDENTITY_STREAM, { from: 0 }));

  beforeAll(async () => {
    server = await startOwnEventStore();
    log = connectEventStore(server.url);
  });
  afterAll(async () => {
    await log.close();
    await server.stop();
  });

  it('is not made before the log has its id, and a name fails until then', async () => {
    await expect(note(instance())).rejects.toThrow(EventStoreUnavailable);
    await expect(note(await opened())).rejects.toMatchObject({ code: 'MEMORY_WRITE_FAIL' });
    expect(await recorded()).toStrictEqual([]);
  });

  it('is not made by a start, and no start needs a sealing key where nothing is named', async () => {
    await identifyLog(log);
    await opened();
    await opened(NEW);
    expect((await recorded()).map(({ type }) => type)).toStrictEqual(['log_identified']);
  });

  it('is not made by a read, whose name no stream has', async () => {
    const names = await opened();
    const read = () => names.noteStream('user:mira', ['plans'], 'today', 'read');
    expect(await read()).not.toBe(await read());
    expect((await recorded()).map(({ type }) => type)).toStrictEqual(['log_identified']);
  });

  it('is not made while the log is full: a name fails with STORAGE_FULL, and nothing is recorded', async () => {
    server.limit(0);
    await server.kill();
    await server.restart();
    const names = await opened();
    await expect(note(names)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await recorded()).map(({ type }) => type)).toStrictEqual(['log_identified']);
    server.limit(undefined);
    await server.kill();
    await server.restart();
  });

  it('is the same for all instances that need it at the same time', async () => {
    const names = await Promise.all([opened(), opened(), opened()]);
    const streams = await Promise.all(names.map(note));
    expect(new Set(streams).size).toBe(1);
    expect(streams[0]).toMatch(/^note-[0-9a-f]{64}$/);
    const read = await names[0]?.noteStream('user:mira', ['plans'], 'today', 'read');
    expect(read).toBe(streams[0]);
    const types = (await recorded()).map(({ type }) => type);
    expect(types).toStrictEqual(['log_identified', 'naming_key_made']);
  });

  it('gives each owner, namespace and key a name of its own', async () => {
    const names = await opened();
    const made = await Promise.all([
      names.noteStream('a', ['b', 'c'], 'd'),
      names.noteStream('a', ['b/c'], 'd'),
      names.noteStream('a', ['b'], 'c/d'),
      names.noteStream('a', [], 'd'),
      names.conversationStream('a', 'b'),
      names.threadStream('a', 'b', ''),
      names.threadStream('a', '', 'b'),
    ]);
    const digests = made.map((name) => name.replace(/^(note|conversation|thread)-/, ''));
    expect(new Set(digests).size).toBe(made.length);
  });

  it('gives a copy of the log the same names', async () => {
    const other = await startOwnEventStore();
    const copy = connectEventStore(other.url);
    try {
      const { code, stderr } = await mace(['copy-log', '--from', server.url, '--to', other.url]);
      expect([stderr, code]).toStrictEqual(['', 0]);
      const copied = new StreamNames(copy, silent, new SealingKeys(OLD));
      await copied.open();
      expect(await note(copied)).toBe(await note(await opened()));
    } finally {
      await copy.close();
      await other.stop();
    }
  });

  it('keeps the names when MACE_SEALING_KEY is rotated, and needs the old key no more afterwards', async () => {
    const before = await note(await opened());
    await expect(opened(NEW)).rejects.toThrow(BadConfig);
    await expect(opened(NEW)).rejects.toThrow(
      'The log has a naming key that MACE_SEALING_KEY does not open: set MACE_SEALING_KEYS_OLD to the earlier value of MACE_SEALING_KEY.',
    );
    const rotated = await Promise.all([opened(NEW, [OLD]), opened(NEW, [OLD])]);
    expect(await Promise.all(rotated.map(note))).toStrictEqual([before, before]);
    expect(await note(await opened(NEW))).toBe(before);
    const events = await recorded();
    const types = events.map(({ type }) => type);
    expect(types).toStrictEqual(['log_identified', 'naming_key_made', 'naming_key_rewrapped']);
    const rules = rulesFor(LOG_IDENTITY_STREAM);
    const report = await rules?.replay(
      LOG_IDENTITY_STREAM,
      log.readStream(LOG_IDENTITY_STREAM, { from: 0 }),
    );
    expect(report).toMatchObject({ identical: true, events_checked: 3 });
  });
});
