import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import {
  type OwnEventStore,
  type OwnServer,
  startOwnEventStore,
  startOwnPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { SmallDisk, smallDiskMissing } from '#test/support/small-disk.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { until } from './support/until.js';

const missing = smallDiskMissing();
if (missing !== false)
  process.stderr.write(`SKIPPED: full disks are not tested here, because ${missing}.\n`);
const describeOnDisk = missing === false ? describe : describe.skip;

const FREE_PAGES = 4;
/** More values than fit into what the servers have reserved on the disk. */
const MAX_WRITES = 10_000;

interface Queue {
  readonly entries: readonly {
    readonly id: string;
    readonly stream: string;
    readonly waits_for: string;
  }[];
}
interface Storage {
  readonly status: string;
  readonly full: boolean;
  readonly reason?: string;
  readonly storage_used_bytes: number | null;
  readonly storage_free_bytes: number | null;
  readonly waiting_writes: number | null;
}

/** A value that compression cannot make much smaller. Digits in it could look like a card's number. */
const value = (): string =>
  randomBytes(7_500)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
const path = (name: string): string => `sem/world/fact/${name}/value`;

/** Writes facts under numbered names, and notes each value that the service has acknowledged. */
class Writer {
  readonly acknowledged = new Map<string, string>();

  constructor(private readonly admin: Caller) {}

  /** Puts the next fact; returns the refusal, or undefined if the put was acknowledged. */
  async put(): Promise<ErrorEnvelope | undefined> {
    const name = `fact_${this.acknowledged.size}`;
    const written = value();
    const answer = await this.admin.ask('PUT', path(name), { body: { value: written } });
    if (answer.status !== 200) return answer.body;
    this.acknowledged.set(name, written);
    return undefined;
  }

  /** Puts facts until one is refused, and returns the refusal. */
  async fill(): Promise<ErrorEnvelope> {
    for (let count = 0; count < MAX_WRITES; count += 1) {
      const refusal = await this.put();
      if (refusal !== undefined) return refusal;
    }
    throw new Error('the disk is not full');
  }

  /** Asserts that reads show every acknowledged fact, written once. */
  async assertNothingLost(): Promise<void> {
    for (const [name, written] of this.acknowledged)
      await until(`${name} is read`, async () => {
        const { status, body } = await this.admin.ask<{ value?: unknown }>('GET', path(name));
        return status === 200 && body.value === written;
      });
  }
}

const storageOf = async (service: ServiceClient): Promise<Storage | undefined> =>
  (await service.call<{ details: { storage?: Storage } }>('GET', '/health/ready')).body.details
    .storage;

describeOnDisk('The embedded pair on one small disk (SPEC F2, 000 §9)', () => {
  const data = temporaryFolder('full-disk');
  let disk: SmallDisk;
  let process: ServiceProcess;
  let service: ServiceClient;
  let admin: Caller;
  let writer: Writer;

  beforeAll(async () => {
    const mounted = await SmallDisk.mount(data.path);
    ensure(mounted);
    disk = mounted;
    process = ServiceProcess.spawn(data.path);
    service = await process.ready();
    admin = await Caller.of(service, 'admin');
    writer = new Writer(admin);
    await admin.post('jobs', { job_seed: 'on-a-small-disk' });
    for (let count = 0; count < 5; count += 1) expect(await writer.put()).toBeUndefined();
  });
  afterAll(async () => {
    await process?.stop();
    disk?.remove();
    data.remove();
  });

  const queue = async () => (await admin.get<Queue>('admin/queue')).entries;
  const lines = (): Record<string, unknown>[] =>
    process.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('002-T31 [stage0] [golden] [critical] a put on a full disk is STORAGE_FULL, and its log line has the bytes used and free and what makes room', async () => {
    expect((await storageOf(service))?.full).toBe(false);
    expect(await disk.fill(FREE_PAGES)).toBe(true);
    const refusal = await writer.fill();
    expect(refusal).toMatchObject({
      error_code: 'STORAGE_FULL',
      status: 507,
      severity: 'critical',
      user_message: messages.STORAGE_FULL.user_message,
    });
    const { query_id } = refusal.meta;
    await until('the line is written', () => lines().some((line) => line['query_id'] === query_id));
    const line = lines().find((one) => one['query_id'] === query_id);
    expect(line).toMatchObject({
      level: 'fatal',
      error_code: 'STORAGE_FULL',
      policy: 'more disk space for the folder in MACE_DATA_DIR',
      body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(line?.['storage_used_bytes']).toBeGreaterThan(100_000);
    expect(line?.['storage_free_bytes']).toBeLessThan(1_000_000);
  });

  it('000-M-T8 [stage1] [golden] [critical] an episode on a full disk is STORAGE_FULL and waits in the admin queue, and readiness says that the log is full', async () => {
    const episode = { body: { summary: 'A day without room.' }, key: 'episode-1' };
    await admin.refused('STORAGE_FULL', 'POST', 'jobs/on-a-small-disk/episodes', episode);
    await admin.refused('STORAGE_FULL', 'PUT', path('keyed'), {
      body: { value: 'umber' },
      key: 'keyed-1',
    });
    const streams = (await queue()).map(({ stream, waits_for }) => [stream, waits_for]);
    expect(streams).toContainEqual(['job-on-a-small-disk', 'room']);
    expect(streams).toContainEqual(['sem-world/fact/keyed/value', 'room']);
    // The put that filled the disk had no key, so it waits for a person.
    expect(streams.filter(([, waits]) => waits === 'person')).toHaveLength(1);
    const storage = await storageOf(service);
    expect(storage).toMatchObject({
      status: 'up',
      full: true,
      reason: 'the log has no room; it needs more disk space for the folder in MACE_DATA_DIR',
      waiting_writes: 3,
    });
    expect(storage?.storage_used_bytes).toBeGreaterThan(100_000);
  });

  it('while the disk is full, reads of what was there go on', async () => {
    const { value: read } = await admin.get(path('fact_0'));
    expect(read).toBe(writer.acknowledged.get('fact_0'));
  });

  it('when the disk has room again, the waiting writes with a key are done once, and nothing acknowledged is lost', async () => {
    await disk.empty();
    await until('only the write without a key waits', async () => (await queue()).length === 1);
    await until('the keyed fact is read', async () => {
      const { status, body } = await admin.ask<{ value?: unknown }>('GET', path('keyed'));
      return status === 200 && body.value === 'umber';
    });
    const { events } = await admin.get<{ events: { type: string }[] }>(
      'jobs/on-a-small-disk/events?limit=100',
    );
    expect(events.filter(({ type }) => type === 'episode_written')).toHaveLength(1);
    expect(await storageOf(service)).toMatchObject({ full: false, waiting_writes: 1 });
    await writer.assertNothingLost();
    expect(await writer.put()).toBeUndefined();
  });

  it('an admin writes the rest with mace queue retry', async () => {
    const [left] = await queue();
    ensure(left);
    const { stderr, code } = await mace([
      'queue',
      'retry',
      left.id,
      '--url',
      service.url,
      '--token',
      admin.token,
    ]);
    expect([stderr, code]).toStrictEqual([
      expect.stringMatching(/^Using \S+ as .* from --token\n$/),
      0,
    ]);
    expect(await queue()).toStrictEqual([]);
    const { exists } = await admin.get(left.stream.replace(/^sem-/, 'sem/'));
    expect(exists).toBe(true);
  });
});

describeOnDisk('Postgres on a small disk of its own (SPEC F2)', () => {
  const data = temporaryFolder('full-postgres');
  let disk: SmallDisk;
  let eventStore: OwnEventStore;
  let postgres: OwnServer;
  let service: TestService;
  let admin: Caller;
  let writer: Writer;

  beforeAll(async () => {
    const mounted = await SmallDisk.mount(data.path);
    ensure(mounted);
    disk = mounted;
    [eventStore, postgres] = await Promise.all([startOwnEventStore(), startOwnPostgres(data)]);
    service = await TestService.start({ servers: { eventStore, postgres } });
    admin = await Caller.of(service, 'admin');
    writer = new Writer(admin);
    expect(await writer.put()).toBeUndefined();
    await admin.get(path('fact_0'));
  });
  afterAll(async () => {
    await service?.stop();
    disk?.remove();
    await Promise.all([eventStore?.stop(), postgres?.stop()]);
  });

  it('writes go on while the disk of Postgres is full, and the log reports storage_full', async () => {
    expect(await disk.fill(FREE_PAGES)).toBe(true);
    await until('the log reports the full disk', async () => {
      expect(await writer.put()).toBeUndefined();
      return service.log.some(({ type }) => type === 'storage_full');
    });
    const name = [...writer.acknowledged.keys()].at(-1) ?? '';
    await admin.refused('PROJECTION_LAG', 'GET', path(name));
    const { projections } = await admin.get<{ projections: { stopped: unknown }[] }>('projections');
    expect(projections.every(({ stopped }) => stopped === null)).toBe(true);
  });

  it('a write that a full log refuses meanwhile is kept, and done once when both have room', async () => {
    eventStore.limit(0);
    await eventStore.kill();
    await eventStore.restart();
    await until('the log refuses a write', async () => {
      const { body } = await admin.ask('PUT', path('kept'), {
        body: { value: 'sienna' },
        key: 'kept-1',
      });
      return body.error_code === 'STORAGE_FULL';
    });
    expect(service.log.some(({ type }) => type === 'refused_write_lost')).toBe(false);
    await disk.empty();
    eventStore.limit(undefined);
    await eventStore.kill();
    await eventStore.restart();
    await until('the write is done', async () => {
      const { status, body } = await admin.ask<{ value?: unknown }>('GET', path('kept'));
      return status === 200 && body.value === 'sienna';
    });
    expect((await admin.get<Queue>('admin/queue')).entries).toStrictEqual([]);
  });

  it('when the disk has room again, reads show every write', async () => {
    await writer.assertNothingLost();
  });
});
