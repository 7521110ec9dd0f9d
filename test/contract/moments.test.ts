import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LogEnd } from '#apps/api/platform/log-end.js';
import { ReadModels } from '#apps/api/platform/read-models.js';
import { Moments } from '#apps/api/moments/moments.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { openLogger } from '#platform/start/logger.js';
import { RecordedTimesQueries } from '#projections/recorded-times/queries.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { requestRebuild } from '#read-model/projection-records.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { until } from '#test/faults/support/until.js';
import { productProjections } from '#test/support/product-projections.js';
import { startEmptyPostgres, startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { metadataOf } from './read-model-world.js';

/** After the first event of each log, which says what log it is. */
const BASE = Date.now() + 60_000;
const timeOf = (ms: number): string => new Date(BASE + ms).toISOString();
const PROJECTIONS = (await productProjections()).filter(({ name }) => name === 'recorded_times');

interface Written {
  readonly position: bigint;
  readonly hash: string;
  readonly recorded_at: string;
}

/** A log of its own with its read model. */
class Copy {
  readonly log: Written[] = [];
  private readonly heads = new Map<string, { number: number; hash: string }>();

  private constructor(
    private readonly servers: readonly TestServer[],
    readonly eventStore: EventStore,
    readonly postgres: Postgres,
    private readonly watch: PositionWatch,
    private readonly runner: ProjectionRunner,
    readonly moments: Moments,
  ) {}

  static async start(): Promise<Copy> {
    const servers = [await startOwnEventStore(), await startEmptyPostgres()] as const;
    const eventStore = connectEventStore(servers[0].url);
    const postgres = new Postgres({ url: servers[1].url });
    const watch = new PositionWatch(postgres);
    const log = openLogger('silent');
    const projections = PROJECTIONS;
    const runner = new ProjectionRunner({ eventStore, postgres, projections, watch, log });
    runner.start();
    const readModels = new ReadModels(postgres, watch, { names: ['recorded_times'] } as never);
    await readModels.haveTables(10_000);
    const logEnd = new LogEnd(eventStore, readModels);
    const moments = new Moments(eventStore, new RecordedTimesQueries(postgres), logEnd, readModels);
    const copy = new Copy(servers, eventStore, postgres, watch, runner, moments);
    for await (const events of wholeLog(eventStore, await eventStore.lastPosition()))
      for (const { position, metadata } of events)
        copy.log.push({ position, hash: metadata.hash, recorded_at: metadata.recorded_at });
    return copy;
  }

  /** Appends one event to each stream named, with these times, as one append for each run of the same stream. */
  async append(events: readonly { readonly stream: string; readonly ms: number }[]): Promise<void> {
    for (const { stream, ms } of events) {
      const head = this.heads.get(stream) ?? { number: -1, hash: CHAIN_START };
      const number = head.number + 1;
      const { hash: _, ...metadata } = metadataOf(timeOf(ms));
      const data = { key: stream, number };
      const link = {
        stream,
        number,
        type: 'key_claimed',
        data,
        metadata: { ...metadata, event_id: `${stream}-${number}` },
      };
      const hash = chainHash(head.hash, link);
      const id = `00000000-0000-4000-8000-${String(this.log.length).padStart(12, '0')}`;
      const { position } = await this.eventStore.append(
        stream,
        number === 0 ? 'no_stream' : number - 1,
        [{ id, type: 'key_claimed', data, metadata: { ...link.metadata, hash } }],
      );
      this.heads.set(stream, { number, hash });
      this.log.push({ position, hash, recorded_at: timeOf(ms) });
    }
  }

  /** Folds the log: what `at` says of a time. */
  naive(at: string): { position: string | null; hash: string | null; final: boolean } {
    const later = this.log.findIndex(({ recorded_at }) => recorded_at > at);
    const end = later === -1 ? this.log.at(-1) : this.log[later - 1];
    const position = end?.position.toString() ?? null;
    return { position, hash: end?.hash ?? null, final: later !== -1 };
  }

  async rebuild(): Promise<void> {
    await requestRebuild(this.postgres, 'recorded_times');
    await until('the read model is rebuilt', async () => {
      const rows = await this.postgres.query<{ rebuild_requested: boolean }>(
        'select rebuild_requested from read_models.projection',
      );
      return rows.every(({ rebuild_requested }) => !rebuild_requested);
    });
  }

  async stop(): Promise<void> {
    await this.runner.stop();
    await this.watch.close();
    await this.postgres.close();
    await this.eventStore.close();
    for (const server of this.servers) await server.stop();
  }
}

let original: Copy;
let copy: Copy;

beforeAll(async () => {
  [original, copy] = await Promise.all([Copy.start(), Copy.start()]);
});
afterAll(async () => {
  await original?.stop();
  await copy?.stop();
});

/** Steps of a clock in ms: mostly on, often not at all, sometimes far back or ahead. */
const STEP = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: -3_000, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 4_000 }) },
);
const EVENT = fc.record({ stream: fc.constantFrom('sem-a', 'sem-b', 'sem-c'), step: STEP });

test('before its first event, the log had no end', async () => {
  const { at, position, hash, final } = await original.moments.endAt(timeOf(-86_400_000));
  expect({ at, position, hash, final }).toStrictEqual({
    ...{ at: timeOf(-86_400_000), position: null, hash: null, final: true },
  });
});

test('the position at a time is the one that a fold of the log gives, also on a copy of the log and after a rebuild', async () => {
  let now = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(EVENT, { minLength: 1, maxLength: 25 }),
      fc.array(fc.integer({ min: -1_500, max: 1_500 }), { minLength: 4, maxLength: 8 }),
      async (events, around) => {
        const steps = events.map(({ stream, step }) => ({ stream, ms: (now += step) }));
        await original.append(steps);
        // The copy gets the same events in other batches.
        for (const one of steps) await copy.append([one]);
        const exact = original.log.slice(-4).map(({ recorded_at }) => recorded_at);
        for (const at of [...exact, ...around.map((ms) => timeOf(now + ms))]) {
          const expected = original.naive(at);
          expect(await original.moments.endAt(at)).toStrictEqual({ at, ...expected });
          expect(await copy.moments.endAt(at)).toStrictEqual({ at, ...copy.naive(at) });
        }
      },
    ),
    { numRuns: 25 },
  );
  // Only the events that say what log it is differ, so each time names the same event in both.
  const hashes = ({ log }: Copy): string[] => log.slice(1).map(({ hash }) => hash);
  expect(hashes(copy)).toStrictEqual(hashes(original));
  await original.rebuild();
  for (const { recorded_at: at } of original.log)
    expect(await original.moments.endAt(at)).toStrictEqual({ at, ...original.naive(at) });
});

test('the position of each event names that event, and a position without one is refused', async () => {
  for (const { position, hash, recorded_at: at } of original.log)
    expect(await original.moments.at(position.toString())).toStrictEqual({
      ...{ at, position: position.toString(), hash, final: true },
    });
  const last = original.log.at(-1)!.position;
  for (const none of [last + 1n, last + 1_000_000n])
    await expect(original.moments.at(none.toString())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
});

test('a time in the future is refused', async () => {
  const at = new Date(Date.now() + 60_000).toISOString();
  await expect(original.moments.at(at)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
