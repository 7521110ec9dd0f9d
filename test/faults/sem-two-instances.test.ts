import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import type { Json } from '#domain/json.js';
import { auditStream } from '#domain/stream-names.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { startOwnEventStore, startTestPostgres } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { writeAnotherValue } from '#test/support/rows-with-macs.js';
import { eventsIn } from './support/log.js';
import { ensure } from '#test/support/ensure.js';

interface Fact {
  readonly value: Json;
  readonly source: string;
  readonly last_updated: string;
}

interface Write {
  readonly instance: 0 | 1;
  readonly by: 'system' | 'agent:alpha' | 'agent:beta';
  readonly second: number;
  /** The value of a put; undefined for a deletion. */
  readonly value: number | undefined;
}

type Written = {
  readonly timestamp: string;
  readonly source: string;
  readonly superseded: boolean;
};

const writes: fc.Arbitrary<readonly Write[]> = fc.array(
  fc
    .record({
      instance: fc.constantFrom(0 as const, 1 as const),
      by: fc.constantFrom('system' as const, 'agent:alpha' as const, 'agent:beta' as const),
      second: fc.integer({ min: 0, max: 2 }),
      value: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined, freq: 4 }),
    })
    // Only admins may delete, so the source of a deletion is the system (SPEC S5).
    .map((write) => (write.value === undefined ? { ...write, by: 'system' as const } : write)),
  { minLength: 2, maxLength: 14 },
);

const timeOf = (second: number): string => `2026-03-01T12:00:0${second}.000Z`;

describe('Facts written on two instances at once', () => {
  const services: TestService[] = [];
  const callers: Record<Write['by'], Caller>[] = [];
  let log: EventStore;
  let rows: pg.Client;

  beforeAll(async () => {
    const [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
    for (let instance = 0; instance < 2; instance += 1) {
      const service = await TestService.start({ servers: { eventStore, postgres } });
      services.push(service);
      callers.push({
        system: await Caller.of(service, 'admin'),
        'agent:alpha': await Caller.of(service, 'agent', { sub: 'alpha' }),
        'agent:beta': await Caller.of(service, 'agent', { sub: 'beta' }),
      });
    }
    log = connectEventStore(eventStore.url);
    rows = new pg.Client({ connectionString: postgres.url });
    await rows.connect();
    await admin(0).did('PUT', 'sem/mace/config/agents_allowed_writes/subs', {
      body: { value: ['alpha', 'beta'] },
    });
  });
  afterAll(async () => {
    await rows?.end();
    await log?.close();
    for (const service of services) await service.stop();
    await Promise.all([services[0]?.eventStore.stop(), services[0]?.postgres.stop()]);
  });

  const admin = (instance: 0 | 1): Caller => callers[instance]!.system;

  async function write(path: string, { instance, by, second, value }: Write): Promise<number> {
    const caller = callers[instance]![by];
    const timestamp = timeOf(second);
    const { status } =
      value === undefined
        ? await caller.ask('DELETE', `${path}?timestamp=${timestamp}`)
        : await caller.ask('PUT', path, { body: { value, timestamp } });
    return status;
  }

  /** The event that wins by rule S3, computed from the stream alone. */
  function winnerOf(events: readonly LoggedEvent[]): LoggedEvent | undefined {
    let winner: LoggedEvent | undefined;
    for (const event of events) {
      const { timestamp, source, superseded } = event.data as Written;
      const best = winner?.data as Written | undefined;
      const loses =
        best !== undefined &&
        (best.timestamp > timestamp || (best.timestamp === timestamp && best.source > source));
      // The event records whether its value had already lost to another write when it was appended.
      expect(superseded).toBe(loses);
      if (!loses) winner = event;
    }
    return winner;
  }

  it('S3 on both instances the latest timestamp wins, then the larger source, then the later event of the stream', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(writes, async (asked) => {
        const path = `sem/world/race/round_${(round += 1)}/value`;
        const statuses = await Promise.all(asked.map((one) => write(path, one)));
        // A deletion of a missing fact answers 400 and appends no event.
        expect(statuses.every((status) => status === 200 || status === 400)).toBe(true);
        const events = await eventsIn(log, path.replace('sem/', 'sem-'));
        expect(events).toHaveLength(statuses.filter((status) => status === 200).length);
        const winner = winnerOf(events);
        for (const instance of [0, 1] as const) {
          if (winner?.type !== 'fact_put') {
            await admin(instance).refused('SEM_NOT_FOUND', 'GET', path);
            continue;
          }
          const fact = await admin(instance).get<Fact>(path);
          expect(fact.value).toBe(winner.data['value']);
          expect(fact.last_updated).toBe(winner.data['timestamp']);
          expect(fact.source).toBe(winner.data['source']);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('S2 a fact that is larger than one append is refused and leaves no event', async () => {
    const meta = { provenance: 'x'.repeat(950 * 1024) };
    const path = 'sem/world/fact/large/value';
    await admin(0).refused('INVALID_INPUT', 'PUT', path, { body: { value: 1, meta } });
    expect(await eventsIn(log, 'sem-world/fact/large/value')).toHaveLength(0);
  });

  describe('A fact of which the read model has two values, both with a MAC', () => {
    const path = 'sem/world/fact/disputed/value';
    const read = async (instance: 0 | 1) => (await admin(instance).get<Fact>(path)).value;
    const warned = (service: TestService | undefined) =>
      service?.log.filter(({ type }) => type === 'data_integrity_warning') ?? [];

    beforeAll(async () => {
      const body = { value: 'from the log', timestamp: timeOf(1) };
      await admin(0).did('PUT', path, { body });
      expect(await read(0)).toBe('from the log');
    });

    const change = (row: { held?: string; timestamp: string }) =>
      writeAnotherValue(services[0]!.postgres, 'world/fact/disputed/value', row);

    it('004-F2 [stage0] a read returns the latest value, and each instance warns once', async () => {
      await change({ held: JSON.stringify('by another hand'), timestamp: timeOf(2) });
      for (let look = 0; look < 3; look += 1) expect(await read(0)).toBe('by another hand');
      await change({ timestamp: timeOf(0) });
      expect(await read(1)).toBe('from the log');
      for (const service of services) {
        const [line, ...more] = warned(service);
        expect(more).toHaveLength(0);
        ensure(line?.['stream'] === 'sem-world/fact/disputed/value');
        expect(line['values']).toBe(2);
        expect(JSON.stringify(line)).not.toContain('hand');
        const { body } = await service.call<string>('GET', '/metrics');
        expect(body).toMatch(/mace_data_integrity_warnings_total\{projection="sem"\} 1/);
      }
      const events = await eventsIn(log, auditStream('system'));
      expect(events.map(({ type, data }) => [type, data['taken_timestamp']])).toStrictEqual([
        ['data_integrity_warning', timeOf(2)],
        ['data_integrity_warning', timeOf(1)],
      ]);
    });

    it('004-F2 [stage0] with two rows for one key, a read returns the latest one, and a rebuild restores the value of the log', async () => {
      await rows.query(`
        alter table sem.fact drop constraint fact_pkey;
        create table two_values as
          select * from sem.fact where key = 'world/fact/disputed/value'`);
      await change({ held: '"a third"', timestamp: timeOf(3) });
      await rows.query('insert into sem.fact select * from two_values; drop table two_values');
      expect(await read(0)).toBe('a third');
      await admin(0).post('projections/sem/rebuild');
      while ((await read(0)) !== 'from the log');
      expect(await read(1)).toBe('from the log');
    });
  });
});
