import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AllStreamResolvedEvent,
  binaryEvent,
  EventStoreDBClient,
  jsonEvent,
} from '@eventstore/db-client';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EventStoreChild, startEventStoreChild } from '#embedded/event-store-child.js';
import { copyStore, NodeUnreachable } from '#embedded/event-store-node/store-copy.js';
import { startOwnEventStore, type OwnEventStore } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const folder = temporaryFolder('store-copy');
const quiet = { onEnd: () => undefined, onEvents: () => undefined };
const { signal } = new AbortController();

describe('A copy of the store of a running node', () => {
  let source: OwnEventStore;
  let copy: EventStoreChild;
  let client: EventStoreDBClient;
  let copied: EventStoreDBClient;

  beforeAll(async () => {
    source = await startOwnEventStore();
    client = EventStoreDBClient.connectionString(source.url);
    const event = (text: string) => jsonEvent({ type: 'Happened', data: { text } });
    for (let round = 0; round < 30; round += 1)
      await client.appendToStream(`Grüße-${round % 7}`, [
        event('é'.repeat(round * 300)),
        event(''),
      ]);
    await client.appendToStream(
      'binary',
      binaryEvent({ type: 'Bytes', data: Buffer.from([0, 255, 7]) }),
    );
    await client.setStreamMetadata('binary', { maxCount: 5 });
    await client.deleteStream('Grüße-1');
    await client.tombstoneStream('Grüße-2');
    const end = await copyStore(source.url, join(folder.path, 'copy'), { ...quiet, signal });
    await client.appendToStream('after', event('not copied'));
    expect(end.position).toBe((await everything(client)).length - 1);
    copy = await startEventStoreChild(join(folder.path, 'copy'), 0, () => undefined);
    copied = EventStoreDBClient.connectionString(copy.url);
  });
  afterAll(async () => {
    await Promise.all([client?.dispose(), copied?.dispose()]);
    await copy?.stop();
    await source?.stop();
    folder.remove();
  });

  async function everything(of: EventStoreDBClient): Promise<AllStreamResolvedEvent[]> {
    const events: AllStreamResolvedEvent[] = [];
    for await (const event of of.readAll()) events.push(event);
    return events;
  }

  it('has every event up to its end at its position, with its time, its bytes and the streams of the server', async () => {
    const before = (await everything(client)).filter(({ event }) => event?.streamId !== 'after');
    expect(before.some(({ event }) => event?.streamId === '$$binary')).toBe(true);
    expect(await everything(copied)).toStrictEqual(before);
  });

  it('has the same deleted and hidden streams, and takes the next event of the others', async () => {
    const read = async (stream: string) => {
      for await (const _ of copied.readStream(stream)) return;
    };
    await expect(read('Grüße-1')).rejects.toThrow(/not found/i);
    await expect(read('Grüße-2')).rejects.toThrow(/deleted/i);
    const next = await copied.appendToStream(
      'Grüße-3',
      jsonEvent({ type: 'Happened', data: { text: 'more' } }),
      { expectedRevision: 7n },
    );
    expect(next.success).toBe(true);
  });

  it('belongs to its user alone', () => {
    const path = join(folder.path, 'copy');
    expect(lstatSync(path).mode & 0o077).toBe(0);
    const files = readdirSync(path).filter((name) => !lstatSync(join(path, name)).isSymbolicLink());
    for (const name of files) expect(lstatSync(join(path, name)).mode & 0o077).toBe(0);
  });

  it('fails if it is interrupted, and if the node is killed meanwhile', async () => {
    const aborted = new AbortController();
    const abort = (): void => aborted.abort(new Error('stopped'));
    const path = join(folder.path, 'unfinished');
    await expect(
      copyStore(source.url, path, { ...quiet, onEnd: abort, signal: aborted.signal }),
    ).rejects.toThrow('stopped');
    let killed: Promise<unknown> | undefined;
    const kill = (): void => void (killed = source.kill());
    await expect(copyStore(source.url, path, { ...quiet, onEnd: kill, signal })).rejects.toThrow(
      NodeUnreachable,
    );
    await killed;
  });
});
