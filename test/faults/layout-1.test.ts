import { afterEach, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type EventStoreChild, startEventStoreChild } from '#embedded/event-store-child.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// A store of the release before checksums, made by that release and killed with its last events only in the
// journal. contents.json is what that release read from it.
const FIXTURE = join(process.cwd(), 'test/faults/layout-1');
const FILES = ['events.lmdb', 'journal-0', 'journal-1'];
const EXPECTED = JSON.parse(readFileSync(join(FIXTURE, 'contents.json'), 'utf8')) as {
  readonly log: readonly unknown[];
  readonly streams: Readonly<Record<string, unknown>>;
};

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function oldStore(): string {
  const folder = temporaryFolder('layout-1');
  cleanUps.push(() => folder.remove());
  for (const name of FILES) {
    writeFileSync(join(folder.path, name), gunzipSync(readFileSync(join(FIXTURE, `${name}.gz`))));
  }
  return folder.path;
}

const hash = (value: unknown): string =>
  createHash('sha256')
    .update(value instanceof Uint8Array ? value : JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16);

async function contentsOf({ url }: EventStoreChild): Promise<unknown> {
  const client = EventStoreDBClient.connectionString(url);
  const log: unknown[] = [];
  for await (const { event } of client.readAll()) {
    const { position, streamId, revision, id, type, data, metadata, created } = event!;
    const place = [Number(position.commit), streamId, Number(revision), id, type];
    log.push([...place, hash(data), hash(metadata), Number(created)]);
  }
  const streams: Record<string, unknown> = {};
  for (const stream of Object.keys(EXPECTED.streams)) {
    const numbers: number[] = [];
    try {
      for await (const { event } of client.readStream(stream))
        numbers.push(Number(event!.revision));
      streams[stream] = numbers;
    } catch (error) {
      streams[stream] = (error as { type: string }).type;
    }
  }
  await client.dispose();
  return { log, streams };
}

/** Returns the process that holds the lock of a folder. */
function holderOf(folder: string): number {
  const lock = readdirSync(folder).find((name) => name.startsWith('lock.'))!;
  return Number(readlinkSync(join(folder, lock)).split(' ')[0]);
}

async function opened(folder: string): Promise<{ contents: unknown; notices: string[] }> {
  const notices: string[] = [];
  const onNotice = (sentence: string) => notices.push(sentence);
  const node = await startEventStoreChild(folder, 0, () => undefined, undefined, onNotice);
  const contents = await contentsOf(node);
  await node.stop();
  return { contents, notices };
}

test('a store of the release before checksums is converted at its first start, and reads as before', async () => {
  const folder = oldStore();
  const first = await opened(folder);
  expect(first.contents).toStrictEqual(EXPECTED);
  expect(first.notices).toStrictEqual([
    `Converting 91 events in ${folder}, which have no checksums yet.`,
    `Converted 91 events in ${folder}.`,
  ]);
  const second = await opened(folder);
  expect(second).toStrictEqual({ contents: EXPECTED, notices: [] });
});

test('a conversion that is killed at any step is finished by the next start', async () => {
  const converted = oldStore();
  await opened(converted);
  // The new store is complete, and none, some or all of its files are in their place.
  for (let moved = 0; moved <= FILES.length; moved++) {
    const folder = oldStore();
    const complete = join(folder, 'store.complete');
    mkdirSync(complete);
    for (const name of FILES) cpSync(join(converted, name), join(complete, name));
    for (const name of FILES.slice(0, moved)) renameSync(join(complete, name), join(folder, name));
    expect(await opened(folder)).toStrictEqual({ contents: EXPECTED, notices: [] });
    expect(existsSync(complete)).toBe(false);
  }
  // The new store is not complete.
  for (const afterMs of [0, 20, 60]) {
    const folder = oldStore();
    const kill = () => process.kill(holderOf(folder), 'SIGKILL');
    const onNotice = (sentence: string) => {
      if (sentence.startsWith('Converting')) setTimeout(kill, afterMs);
    };
    const starting = startEventStoreChild(folder, 0, () => undefined, undefined, onNotice);
    await starting.then(({ ended }) => ended).catch(() => undefined);
    expect((await opened(folder)).contents).toStrictEqual(EXPECTED);
  }
});

test('a store of the release before checksums that is cut off is refused, and only a backup is recommended', async () => {
  const folder = oldStore();
  truncateSync(join(folder, 'journal-1'), 1000);
  const refused = opened(folder);
  await expect(refused).rejects.toThrow(/journal-1 is cut off after 1000 bytes\./);
  await expect(refused).rejects.toThrow(/Nothing was changed\. Restore .* from a backup\.$/);
});
