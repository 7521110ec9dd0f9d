import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { type EventStoreChild, startEventStoreChild } from '#embedded/event-store-child.js';
import { groupsIn, readJournalFile } from '#embedded/event-store-node/storage/journal-file.js';
import { GivenUp, startEmbedded } from '#embedded/index.js';
import { mace } from '#test/support/cli-run.js';
import { startOwnEventStore, startTestPostgres } from '#test/support/servers.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { damageStores, randomTrials } from '#test/support/store-damage.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const NODE = fileURLToPath(import.meta.resolve('#programs/event-store-node.js'));

/** The seeds of trials that once found a fault. */
const FOUND_SEEDS = [314_754_404];

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function newFolder(): string {
  const folder = temporaryFolder('damage');
  cleanUps.push(() => folder.remove());
  return folder.path;
}

interface Opened {
  readonly node: EventStoreChild;
  readonly client: EventStoreDBClient;
  readonly notices: readonly string[];
  close(): Promise<void>;
  kill(): Promise<void>;
}

async function open(folder: string): Promise<Opened> {
  const notices: string[] = [];
  const onNotice = (sentence: string) => notices.push(sentence);
  const node = await startEventStoreChild(folder, 0, () => undefined, undefined, onNotice);
  cleanUps.push(() => node.stop());
  const client = EventStoreDBClient.connectionString(node.url);
  return {
    node,
    client,
    notices,
    close: async () => {
      await client.dispose();
      await node.stop();
    },
    kill: async () => {
      await client.dispose();
      process.kill(node.pid, 'SIGKILL');
      await node.ended;
    },
  };
}

const said = (words: string) => jsonEvent({ type: 'Said', data: { words } });

async function wordsIn(client: EventStoreDBClient, stream: string): Promise<unknown[]> {
  const words: unknown[] = [];
  for await (const { event } of client.readStream(stream)) {
    words.push((event!.data as { words: unknown }).words);
  }
  return words;
}

const FORGED_POSITION = 1_000_000;

/**
 * Returns bytes that a client who knows the format can send: groups without records at a position beyond the
 * log's end, at each alignment, with the checksum of a node whose seed is 0.
 */
function forgedGroups(): Buffer {
  const group = Buffer.alloc(24);
  group.writeUInt32BE(group.length, 0);
  group.writeDoubleBE(FORGED_POSITION, 8);
  group.writeUInt32LE(crc32(group.subarray(0, 16)), 16);
  const many = Buffer.concat(new Array<Buffer>(3_600).fill(group));
  return Buffer.concat(Array.from({ length: 8 }, (_, shift) => [Buffer.alloc(shift), many]).flat());
}

/** Changes one bit of the first place where a file has these words. */
function flip(folder: string, file: string, words: string): void {
  const path = join(folder, file);
  const bytes = readFileSync(path);
  const at = bytes.indexOf(words);
  expect(at).toBeGreaterThan(0);
  bytes[at]! ^= 4;
  writeFileSync(path, bytes);
}

/** Changes one bit, some bytes after the beginning of these words, in each place where a file has them. */
function flipAll(folder: string, file: string, words: string, after: number): void {
  const path = join(folder, file);
  const bytes = readFileSync(path);
  const places: number[] = [];
  for (let at = bytes.indexOf(words); at >= 0; at = bytes.indexOf(words, at + 1)) places.push(at);
  expect(places.length).toBeGreaterThan(0);
  for (const at of places) bytes[at + after]! ^= 2;
  writeFileSync(path, bytes);
}

const journalWith = (folder: string, words: string): string =>
  ['journal-0', 'journal-1'].find((name) => readFileSync(join(folder, name)).includes(words))!;

/** Runs the node as `npm run event-store` does. */
async function nodeAlone(folder: string): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, [NODE, '--port', '0', '--data-dir', folder]);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, stderr };
}

describe('Damage at rest in the files of the embedded node', () => {
  it('any wrong bit and any cut in a small store is harmless, refused, or named: never silently wrong', async () => {
    const seed = Date.now() % 2 ** 31;
    const { wrong, ...counts } = await damageStores(randomTrials(seed, 300));
    console.log(`damageStores({ seed: ${seed}, trials: 300 })`, counts);
    expect({ seed, wrong }).toStrictEqual({ seed, wrong: [] });
    expect(counts.trials).toBe(300);
    // Each kind of outcome occurs, so the damage does reach the data.
    expect(Math.min(counts.harmless, counts.refused, counts.named)).toBeGreaterThan(3);
  });

  for (const seed of FOUND_SEEDS)
    it(`no damage of the seed ${seed}, of which one was once not recognised, is silently wrong`, async () => {
      const { wrong } = await damageStores(randomTrials(seed, 300));
      expect(wrong).toStrictEqual([]);
    });

  it('a wrong bit in a key that leads to other pages hides no event: the database is built again', async () => {
    const damage = { file: 'events.lmdb', kind: 'flip', at: 631_335_564, bit: 0 } as const;
    const report = await damageStores([
      { isKilled: false, damage: { ...damage, isInBeginning: false } },
    ]);
    expect(report).toStrictEqual({ trials: 1, harmless: 1, refused: 0, named: 0, wrong: [] });
  });

  it('a wrong bit in the name of a database within the file loses no stream: the database is built again', async () => {
    for (const name of ['events', 'runs', 'streams']) {
      const folder = newFolder();
      const store = await open(folder);
      await store.client.appendToStream('kept', [said('one'), said('two')]);
      await store.close();
      flipAll(folder, 'events.lmdb', `${name}\0`, name.length - 1);
      const opened = await open(folder);
      expect(await wordsIn(opened.client, 'kept')).toStrictEqual(['one', 'two']);
      expect(opened.notices.join(' ')).toContain('the name of a database is damaged');
      await opened.close();
    }
  });

  it('a damaged event is DATA_LOSS for its readers, and other streams, new appends and the copy of the rest go on', async () => {
    const folder = newFolder();
    let store = await open(folder);
    for (const words of ['one', 'MARKED', 'three'])
      await store.client.appendToStream('hurt', said(words));
    await store.client.appendToStream('well', [said('whole'), said('too')]);
    await store.close();
    flip(folder, 'events.lmdb', 'MARKED');
    store = await open(folder);
    expect(store.notices).toStrictEqual([]);
    await expect(wordsIn(store.client, 'hurt')).rejects.toThrow(
      `DATA_LOSS: Event 1 of the stream 'hurt' at position 2 is damaged in ${folder}/events.lmdb`,
    );
    expect(await wordsIn(store.client, 'well')).toStrictEqual(['whole', 'too']);
    await store.client.appendToStream('hurt', said('four'), { expectedRevision: 2n });
    await store.client.appendToStream('hurt', said('five'));
    await store.client.appendToStream('well', said('after'));
    expect(await wordsIn(store.client, 'well')).toStrictEqual(['whole', 'too', 'after']);
    const last: unknown[] = [];
    for await (const { event } of store.client.readStream('hurt', { fromRevision: 2n }))
      last.push(event!.data);
    expect(last).toStrictEqual([{ words: 'three' }, { words: 'four' }, { words: 'five' }]);

    const target = await startOwnEventStore();
    cleanUps.push(() => target.stop());
    const copy = ['copy-log', '--from', store.node.url, '--to', target.url];
    const stopped = await mace(copy);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('The copy has stopped at a damaged event of the source');
    const copied = await mace([...copy, '--skip-damaged']);
    expect(copied.stderr).toContain('Left out event 1 of hurt at position 2');
    expect(copied.stdout).toContain('7 events of 2 streams');
    expect(copied.stdout).toContain('the same except 1 damaged event, left out.');
    expect(copied.code).toBe(0);
    const reader = EventStoreDBClient.connectionString(target.url);
    expect(await wordsIn(reader, 'hurt')).toStrictEqual(['one', 'three', 'four', 'five']);
    await reader.dispose();
  });

  it('a damaged group of the journal with later groups behind it is refused with exit code 3, and what is whole can be copied', async () => {
    const folder = newFolder();
    const store = await open(folder);
    for (const words of ['one', 'MARKED', 'three'])
      await store.client.appendToStream('s', said(words));
    await store.kill();
    const file = journalWith(folder, 'MARKED');
    flip(folder, file, 'MARKED');
    // The database of a node that was killed at once does not have the events yet.
    writeFileSync(join(folder, 'events.lmdb'), '');
    const refused = await nodeAlone(folder);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(
      `or ${folder}/${file} is damaged: the event at position 2 cannot be read.`,
    );
    expect(refused.stderr).toContain(
      `Restore ${folder} from a backup, or copy the events that are whole`,
    );

    const child = spawn(process.execPath, [
      NODE,
      '--port',
      '0',
      '--data-dir',
      folder,
      '--skip-damaged',
    ]);
    cleanUps.push(() => child.kill('SIGKILL'));
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const url = /esdb:\S+(?=,)/.exec(line)![0];
    const salvaged = EventStoreDBClient.connectionString(url);
    await expect(salvaged.appendToStream('s', said('no'))).rejects.toThrow(/accepts no writes/);
    await salvaged.dispose();
    const target = await startOwnEventStore();
    cleanUps.push(() => target.stop());
    const copied = await mace([
      'copy-log',
      '--skip-damaged',
      '--from',
      url,
      '--to',
      target.url,
      '--json',
    ]);
    expect(JSON.parse(copied.stdout)).toMatchObject({ events: 2, damaged: [{ position: '2' }] });
    child.kill('SIGTERM');
    await once(child, 'close');
    expect((await nodeAlone(folder)).code).toBe(3);
  });

  it('a torn last group, with whole groups of an earlier use of the file and forged ones behind it, is harmless', async () => {
    const folder = newFolder();
    let store = await open(folder);
    for (let count = 0; count < 26; count++)
      await store.client.appendToStream(
        'large',
        binaryEvent({ type: 'Sent', data: forgedGroups() }),
      );
    await store.close();
    store = await open(folder);
    await store.client.appendToStream('small', said('LAST'));
    await store.kill();
    const path = join(folder, journalWith(folder, '"LAST"'));
    // What a power failure leaves: neither the end of the group nor what the node wrote after it.
    const at = readFileSync(path).indexOf('"LAST"');
    const handle = openSync(path, 'r+');
    writeSync(handle, Buffer.alloc(64), 0, 64, at);
    closeSync(handle);
    // Behind the torn group stand whole groups of the node, and groups that would count without the node's seed.
    const { bytes, seed = 0 } = await readJournalFile(path);
    expect(groupsIn(bytes, seed).some(({ end }) => end > at + 64)).toBe(true);
    expect(groupsIn(bytes, 0).map(({ firstPosition }) => firstPosition)).toContain(FORGED_POSITION);
    store = await open(folder);
    let count = 0;
    for await (const _ of store.client.readStream('large')) count++;
    expect(count).toBe(26);
    await store.close();
  });

  it('a damaged database is rebuilt from its events at the next start, which says so', async () => {
    const folder = newFolder();
    let store = await open(folder);
    const words = Array.from({ length: 300 }, (_, n) => `word ${n}`);
    await store.client.appendToStream('listed', words.map(said));
    await store.client.setStreamMetadata('limited', { maxCount: 2 });
    await store.client.appendToStream('limited', ['a', 'b', 'c'].map(said));
    await store.close();
    // The number of databases in the file, in both of its heads.
    const path = join(folder, 'events.lmdb');
    const bytes = readFileSync(path);
    for (const page of [0, bytes.readUInt32LE(48)]) bytes[page + 128]! ^= 1;
    writeFileSync(path, bytes);
    store = await open(folder);
    expect(store.notices).toStrictEqual([
      expect.stringMatching(
        /events\.lmdb is damaged \(.+\)\. Rebuilding it from the records of all 304 events\.$/,
      ),
      `Rebuilt ${folder}/events.lmdb. No event was lost.`,
    ]);
    expect(await wordsIn(store.client, 'listed')).toStrictEqual(words);
    expect(await wordsIn(store.client, 'limited')).toStrictEqual(['b', 'c']);
    await store.close();
  });

  it('a node that a fault ends twice while it serves is not started again, and the failure names the file', async () => {
    const dataDir = newFolder();
    const failures: GivenUp[] = [];
    const embedded = await startEmbedded({
      dataDir,
      eventStore: true,
      postgres: false,
      log: () => undefined,
      onCrash: () => undefined,
      onNotice: () => undefined,
      onGivenUp: (failure) => failures.push(failure),
    });
    cleanUps.push(() => embedded.stop());
    const first = embedded.pids().eventStore!;
    process.kill(first, 'SIGSEGV');
    while (embedded.pids().eventStore === first) await sleep(20);
    process.kill(embedded.pids().eventStore!, 'SIGBUS');
    while (failures.length === 0) await sleep(20);
    expect(failures[0]).toBeInstanceOf(GivenUp);
    expect(failures[0]!.message).toContain('ended by SIGBUS twice while it was serving');
    expect(failures[0]!.message).toContain(join(dataDir, 'event-store', 'events.lmdb'));
  });

  it('npm start on damaged files ends with exit code 3 and the sentence that says what to do', async () => {
    const dataDir = newFolder();
    const postgres = await startTestPostgres();
    cleanUps.push(() => postgres.stop());
    const environment = { MACE_POSTGRES_URL: postgres.url };
    const service = ServiceProcess.spawn(dataDir, environment);
    cleanUps.push(() => service.child.kill('SIGKILL'));
    await service.ready();
    service.child.kill('SIGTERM');
    await service.exited;
    const folder = join(dataDir, 'event-store');
    writeFileSync(join(folder, 'journal-1'), 'cut');
    const refused = ServiceProcess.spawn(dataDir, environment);
    expect(await refused.exited).toBe(3);
    expect(refused.stderr).toContain(`${folder}/journal-1 is cut off.`);
    expect(refused.stderr).toContain('mace copy-log --skip-damaged');
  });
});
