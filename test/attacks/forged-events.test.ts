import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { appendedId, eventId } from '#domain/determinism/ids.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { LogReader } from '#test/support/read-log.js';
import { queryAsSuperuser } from '#test/support/reflective-logs.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';

const KEY = 'world/fact/sky/value';
const STREAM = `sem-${KEY}`;
const FORGED = 'forged by somebody with the log';

type Parts = Readonly<
  Record<string, { readonly status: string; readonly stopped?: Record<string, unknown> | null }>
>;

/** The message of the service's log line for a projection that has stopped. */
const STOPPED = 'A projection stopped at an event that it cannot process.';

describe('A forger whose event does not follow its stream', () => {
  let servers: { readonly eventStore: TestServer; readonly postgres: TestServer };
  let service: TestService;
  let log: LogReader;

  beforeAll(async () => {
    servers = { eventStore: await startOwnEventStore(), postgres: await startTestPostgres() };
    service = await TestService.start({ servers });
    log = new LogReader(servers.eventStore.url);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
    await Promise.all([servers?.eventStore.stop(), servers?.postgres.stop()]);
  });

  const admin = () => Caller.of(service, 'admin');

  /** Appends a put of another value that is chained to the event before the last one. Returns its number. */
  async function forge(): Promise<number> {
    const [before, last] = (await log.events(STREAM)).slice(-2);
    ensure(before && last);
    const number = last.number + 1;
    const event_id = eventId(STREAM, number, last.type);
    const data = { ...last.data, value: FORGED, timestamp: '2099-01-01T00:00:00.000Z' };
    const event: LoggedEvent = {
      ...last,
      ...{ number, data, id: appendedId(event_id, last.metadata.command_id) },
      metadata: { ...last.metadata, event_id, hash: '' },
    };
    const hash = chainHash(before.metadata.hash, event);
    await log.eventStore.append(STREAM, last.number, [
      { ...event, metadata: { ...event.metadata, hash } },
    ]);
    return number;
  }

  const parts = async (): Promise<Parts> =>
    (await service.call<{ details: Parts }>('GET', '/health/ready')).body.details;

  async function assertStopped(number: number): Promise<void> {
    await until(
      'the projection has stopped',
      async () => ((await parts())['projection_sem']?.stopped ?? null) !== null,
    );
    const found = await parts();
    expect(found['projection_sem']).toMatchObject({
      status: 'down',
      stopped: { stream: STREAM, number, reason: expect.stringContaining('BrokenHashChain') },
    });
    expect(found['projection_jobs']?.status).toBe('up');
    const { body: metrics } = await service.call<string>('GET', '/metrics');
    expect(metrics).toContain('mace_projection_stopped{projection="sem"} 1');
    const answers = [
      await (await admin()).ask('GET', `sem/${KEY}`),
      await (await admin()).ask('GET', 'sem?prefix=world/'),
    ];
    expect(JSON.stringify(answers)).not.toContain(FORGED);
  }

  it('the projection stops at the event, readiness and metrics name it, and no read shows it', async () => {
    for (const value of ['blue', 'grey'])
      await (await admin()).did('PUT', `sem/${KEY}`, { body: { value } });
    await assertStopped(await forge());
  });

  it('a restart stops at the same event, because the previous event is read from the log', async () => {
    const { number } = (await log.events(STREAM)).at(-1) ?? {};
    ensure(number);
    await service.stop();
    service = await TestService.start({ servers });
    // Readiness may still report the stop of the previous process, so the test waits for this one's own.
    await until('this process has stopped at the event', async () =>
      service.log.some((line) => line['msg'] === STOPPED),
    );
    await assertStopped(number);
  });

  it('a rebuild stops at it as well and keeps the rows as they were', async () => {
    await (await admin()).post('projections/sem/rebuild');
    await until('the rebuild has been given up', async () => {
      const { projections } = await (
        await admin()
      ).get<{ projections: { name: string; rebuilding: boolean }[] }>('projections');
      return projections.every(({ rebuilding }) => !rebuilding);
    });
    expect(await queryAsSuperuser(servers.postgres, 'select held from sem.fact')).toStrictEqual([
      { held: '"grey"' },
    ]);
  });
});
