import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Status, Refused } from '#embedded/event-store-node/protocol/status.js';
import { Expectation } from '#embedded/event-store-node/storage/decide.js';
import { DamagedStore } from '#embedded/event-store-node/storage/damage.js';
import { type EventLog, type Outcome } from '#embedded/event-store-node/storage/event-log.js';
import { openLog } from '#embedded/event-store-node/storage/open-log.js';
import { StreamReader } from '#embedded/event-store-node/service/stream-reader.js';
import { type Bases, type Damage, damageFile, type Verdict } from './store-damage.js';

// Opens damaged copies of a store and reports whether anything in them is silently wrong. It is a process of its
// own, because LMDB can end the process.

const APPENDED_TO = ['plain-0', 'appended'];
const STREAMS = [
  ...['plain-0', 'plain-1', 'plain-2', 'large', 'limited', 'deleted'],
  ...['$$limited', '$$deleted', 'missing', 'appended'],
];
const BLOCK = Buffer.alloc(64 * 1024);

const open = (folder: string): Promise<EventLog> =>
  openLog(folder, {
    quotaBytes: Infinity,
    onBroken: (error) => {
      throw error;
    },
    onNotice: () => undefined,
    skipDamaged: false,
  });

function write(
  log: EventLog,
  stream: string,
  sizes: readonly number[],
  type = 'Happened',
): Promise<Outcome> {
  const events = sizes.map((size, index) => ({
    id: `00000000-0000-4000-8000-${String(log.durable * 100 + index).padStart(12, '0')}`,
    type: Buffer.from(type),
    isJson: true,
    metadata: Buffer.from('{}'),
    data: Buffer.from(JSON.stringify({ text: 'x'.repeat(size) })),
  }));
  return new Promise((done) =>
    log.write({ kind: 'append', stream, expected: Expectation.any, events, done }),
  );
}

const metadata = (log: EventLog, stream: string, text: string): Promise<Outcome> =>
  new Promise((done) =>
    log.write({
      kind: 'append',
      stream: `$$${stream}`,
      expected: Expectation.any,
      events: [
        {
          id: '00000000-0000-4000-8000-ffffffffffff',
          type: Buffer.from('$metadata'),
          isJson: true,
          metadata: Buffer.alloc(0),
          data: Buffer.from(text),
        },
      ],
      done,
    }),
  );

/**
 * Makes a store in the folder `killed` and copies it to `closed` when it is closed. It then appends more to
 * `killed`, which stays open until this process is killed.
 */
async function makeBases({ closed, killed }: Bases): Promise<void> {
  mkdirSync(killed);
  let log = await open(killed);
  for (let round = 0; round < 4; round++) {
    for (const stream of STREAMS.slice(0, 3)) await write(log, stream, [10, 300, 20 * round]);
    await write(log, 'large', [9_000]);
    await log.close();
    log = await open(killed);
  }
  for (const stream of ['limited', 'deleted']) await write(log, stream, [5, 5, 5, 5]);
  await metadata(log, 'limited', '{"$maxCount":2}');
  await new Promise<Outcome>((done) =>
    log.write({ kind: 'delete', stream: 'deleted', expected: Expectation.any, events: [], done }),
  );
  await log.close();
  copyStore(killed, closed);
  log = await open(killed);
  await write(log, 'plain-1', [40, 50]);
  await write(log, 'plain-2', [60]);
  // These events are only in the journal: they are stored in the database later.
}

interface Contents {
  /** The bytes at each position, or undefined where a read fails with DATA_LOSS. */
  readonly events: readonly (string | undefined)[];
  readonly streams: ReadonlyMap<string, string | undefined>;
}

/** Runs a read; undefined if it fails with DATA_LOSS. */
function named(read: () => Buffer): string | undefined {
  try {
    return read().toString('latin1');
  } catch (error) {
    if (error instanceof Refused && error.code === Status.dataLoss) return undefined;
    throw error;
  }
}

function contentsOf(log: EventLog): Contents {
  const events = Array.from({ length: log.durable }, (_, index) =>
    named(() => log.record(index + 1)),
  );
  const streams = new Map(
    STREAMS.map((stream) => [stream, named(() => readStream(log, stream))] as const),
  );
  return { events: events.map(unsealed), streams };
}

/** The checksum at the end of a record changes when the store is rebuilt. */
const unsealed = (record: string | undefined): string | undefined => record?.slice(0, -4);

function readStream(log: EventLog, stream: string): Buffer {
  const reader = new StreamReader(log, {
    stream,
    from: 'start',
    backwards: false,
    count: 1_000_000,
    filter: undefined,
    resolvesLinks: false,
  });
  const pages: Buffer[] = [];
  for (;;) {
    const page = reader.page(1_000_000);
    pages.push(page.frames);
    if (page.isAtEnd) return Buffer.concat(pages);
  }
}

/** Returns how the contents differ from those of the undamaged store, apart from what a read named. */
function differenceOf(
  found: Contents,
  expected: Contents,
  afterAppend: boolean,
): string | undefined {
  if (!afterAppend && found.events.length !== expected.events.length) {
    return `the log ends at ${found.events.length}, not ${expected.events.length}`;
  }
  const wrong = expected.events.findIndex(
    (event, index) => found.events[index] !== undefined && found.events[index] !== event,
  );
  if (wrong >= 0) return `the event at position ${wrong + 1} is wrong`;
  if (found.events.length < expected.events.length) return 'events at the end are gone';
  for (const [stream, bytes] of expected.streams) {
    const isAppended = afterAppend && APPENDED_TO.includes(stream);
    const other = found.streams.get(stream);
    if (other === undefined || other === bytes) continue;
    if (!isAppended || !other.startsWith(bytes!)) return `the stream ${stream} reads differently`;
  }
  return undefined;
}

const isNamed = ({ events, streams }: Contents): boolean =>
  events.includes(undefined) || [...streams.values()].includes(undefined);

/** Copies a store without the zeros in its files. */
function copyStore(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const bytes = readFileSync(join(from, name));
    const file = openSync(join(to, name), 'w', 0o600);
    ftruncateSync(file, bytes.length);
    for (let at = 0; at < bytes.length; at += BLOCK.length) {
      const block = bytes.subarray(at, at + BLOCK.length);
      if (!block.equals(BLOCK.subarray(0, block.length)))
        writeSync(file, block, 0, block.length, at);
    }
    closeSync(file);
  }
}

async function judge(base: string, folder: string, damage: Damage): Promise<Verdict> {
  const expected = await contentsOfCopy(base, `${folder}-whole`);
  copyStore(base, folder);
  damageFile(folder, damage);
  try {
    let log = await open(folder);
    const before = contentsOf(log);
    const wrong = differenceOf(before, expected, false);
    if (wrong) return { kind: 'wrong', detail: wrong };
    for (let round = 0; round < 3; round++) {
      for (const stream of APPENDED_TO) {
        const outcome = await write(log, stream, [30, 2_000]);
        const isLoss = outcome.kind === 'refused' && outcome.error.code === Status.dataLoss;
        if (outcome.kind !== 'written' && !isLoss) {
          return { kind: 'wrong', detail: `an append failed: ${JSON.stringify(outcome)}` };
        }
      }
    }
    await log.close();
    log = await open(folder);
    const after = contentsOf(log);
    const changed = differenceOf(after, before, true) ?? differenceOf(after, expected, true);
    if (changed) return { kind: 'wrong', detail: `${changed}, after appends` };
    await log.close();
    return { kind: isNamed(before) ? 'named' : 'harmless' };
  } catch (error) {
    if (error instanceof DamagedStore) return { kind: 'refused', detail: error.message };
    return { kind: 'wrong', detail: error instanceof Error ? (error.stack ?? '') : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const whole = new Map<string, Contents>();

async function contentsOfCopy(base: string, folder: string): Promise<Contents> {
  const known = whole.get(base);
  if (known) return known;
  copyStore(base, folder);
  const log = await open(folder);
  const contents = contentsOf(log);
  await log.close();
  rmSync(folder, { recursive: true });
  whole.set(base, contents);
  return contents;
}

export type Request =
  | { readonly bases: Bases }
  | { readonly base: string; readonly folder: string; readonly damage: Damage };

process.on('message', (request: Request) => {
  const work =
    'bases' in request
      ? makeBases(request.bases).then((): Verdict => ({ kind: 'harmless' }))
      : judge(request.base, request.folder, request.damage);
  void work.then(
    (verdict) => process.send?.(verdict),
    (error: unknown) => process.send?.({ kind: 'wrong', detail: String(error) }),
  );
});
