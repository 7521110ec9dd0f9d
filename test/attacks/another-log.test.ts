import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#domain/json.js';
import { startEventStoreChild } from '#embedded/event-store-child.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { logIdOf } from '#event-store/log-id.js';
import { BadConfig } from '#platform/config/bad-config.js';
import { keysOf } from '#platform/config/keys.js';
import { readConfig } from '#platform/config/service-config.js';
import { Postgres } from '#read-model/postgres.js';
import { mace } from '#test/support/cli-run.js';
import { assertRowsAreTheFold } from '#test/faults/support/read-models.js';
import { Caller } from '#test/support/caller.js';
import { productProjections } from '#test/support/product-projections.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const SCHEMAS = (await productProjections()).map(({ name }) => name);

/** An event store whose folder a test exchanges for another one, as an operator restores a backup. */
class RestorableStore implements TestServer {
  private readonly parent = temporaryFolder('restored');
  private child: Awaited<ReturnType<typeof startEventStoreChild>> | undefined;
  private port = 0;
  url = '';

  static async start(): Promise<RestorableStore> {
    const store = new RestorableStore();
    await store.restart();
    return store;
  }

  async kill(): Promise<void> {
    await this.stop();
  }

  async restart(): Promise<void> {
    this.child = await startEventStoreChild(this.folder, this.port, () => undefined);
    ({ port: this.port, url: this.url } = this.child);
  }

  async stop(): Promise<void> {
    await this.child?.stop();
    this.child = undefined;
  }

  /** Puts a copy of another store's folder in the place of the current one, as `restore` does. */
  async takeFrom(other: RestorableStore): Promise<void> {
    await other.backUp();
    await this.restore({ from: other.backup });
  }

  async backUp(): Promise<void> {
    await this.stop();
    await cp(this.folder, this.backup, { recursive: true });
    await this.restart();
  }

  /**
   * Puts the folder of the backup in the place of the current one; without a backup, an empty folder. The node
   * keeps its secret, which the connection strings of running services contain.
   */
  async restore({ from = this.backup }: { from?: string | null } = {}): Promise<void> {
    await this.stop();
    const secret = await readFile(join(this.folder, 'secret'));
    await rm(this.folder, { recursive: true });
    if (from === null) await mkdir(this.folder);
    else await cp(from, this.folder, { recursive: true });
    await writeFile(join(this.folder, 'secret'), secret);
    await this.restart();
  }

  private get folder(): string {
    return join(this.parent.path, 'current');
  }

  private get backup(): string {
    return join(this.parent.path, 'backup');
  }
}

interface Fact {
  readonly value: unknown;
}

/** The parts of one installation, whose event store a test restores. */
class Installation {
  private readonly dataDir = temporaryFolder('data').path;

  private constructor(
    readonly eventStore: RestorableStore,
    readonly postgres: TestServer,
  ) {}

  static async start(): Promise<Installation> {
    return new Installation(await RestorableStore.start(), await startTestPostgres());
  }

  service({ dataDir = this.dataDir } = {}): Promise<TestService> {
    const { eventStore, postgres } = this;
    const environment = { MACE_DATA_DIR: dataDir };
    return TestService.start({ servers: { eventStore, postgres }, environment });
  }

  /** Starts the service as an operator does, on these servers. */
  serviceProcess(): ServiceProcess {
    return ServiceProcess.spawn(this.dataDir, {
      ...TEST_KEYS,
      MACE_EVENTSTORE_URL: this.eventStore.url,
      MACE_POSTGRES_URL: this.postgres.url,
    });
  }

  /** Returns the id in the log and the one beside the keys. */
  async logIds(): Promise<{ log: string | undefined; kept: string }> {
    const log = connectEventStore(this.eventStore.url);
    try {
      const kept = await readFile(this.logIdFile, 'utf8');
      return { log: await logIdOf(log), kept: kept.trim() };
    } finally {
      await log.close();
    }
  }

  get logIdFile(): string {
    return join(this.dataDir, 'log-id');
  }

  /** Runs a service on these servers, and stops it also if `use` fails. */
  async serve(use: (service: TestService) => Promise<void>): Promise<void> {
    const service = await this.service();
    try {
      await use(service);
    } finally {
      await service.stop();
    }
  }

  async assertRowsAreTheFold(): Promise<void> {
    const log = connectEventStore(this.eventStore.url);
    const rows = new Postgres({ url: this.postgres.url, maxConnections: 2 });
    try {
      await assertRowsAreTheFold(log, rows, this.postgres.url);
    } finally {
      await log.close();
      await rows.close();
    }
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const rows = new Postgres({ url: this.postgres.url, maxConnections: 1 });
    try {
      return await rows.query<Row>(sql);
    } finally {
      await rows.close();
    }
  }

  async stop(): Promise<void> {
    await this.eventStore.stop();
    await this.postgres.stop();
  }
}

const put = (caller: Caller, name: string, value: unknown) =>
  caller.did('PUT', `sem/world/kept/${name}/value`, { body: { value } });
const valueOf = async (caller: Caller, name: string): Promise<unknown> =>
  (await caller.get<Fact>(`sem/world/kept/${name}/value`)).value;
const isAbsent = (caller: Caller, name: string) =>
  caller.refused('SEM_NOT_FOUND', 'GET', `sem/world/kept/${name}/value`);

const alarms = (service: TestService) =>
  service.log.filter(({ type }) => type === 'another_log').map(({ level }) => level);

async function fill(service: TestService, prefix: string, count: number): Promise<void> {
  const admin = await Caller.of(service, 'admin');
  const agent = await Caller.of(service, 'agent');
  for (let index = 0; index < count; index += 1) await put(admin, `${prefix}-${index}`, index);
  await agent.post('jobs', { job_seed: `${prefix}-job`, goal: 'fill' });
  await agent.post(`jobs/${prefix}-job/episodes`, { summary: `What ${prefix} saw` });
}

describe('A restored backup of the log under a newer Postgres', () => {
  let installation: Installation;

  beforeAll(async () => {
    installation = await Installation.start();
  });
  afterAll(() => installation.stop());

  it('I1 the read models are rebuilt from the older log before the service is ready', async () => {
    await installation.serve(async (service) => {
      await fill(service, 'old', 3);
      await installation.eventStore.backUp();
      await fill(service, 'lost', 20);
      expect(alarms(service)).toStrictEqual([]);
    });
    await installation.eventStore.restore();
    await installation.serve(async (service) => {
      expect(alarms(service)).toStrictEqual(['fatal']);
      const admin = await Caller.of(service, 'admin');
      const agent = await Caller.of(service, 'agent');
      expect(await valueOf(admin, 'old-1')).toBe(1);
      await isAbsent(admin, 'lost-1');
      const { facts } = await admin.get<{ facts: { key: string }[] }>('sem?prefix=world/kept/');
      expect(facts.map(({ key }) => key)).toStrictEqual(
        [0, 1, 2].map((index) => `world/kept/old-${index}/value`),
      );
      await agent.refused('NOT_FOUND', 'GET', 'jobs/lost-job');
      await put(admin, 'new-1', 'shown');
      expect(await valueOf(admin, 'new-1')).toBe('shown');
      await installation.assertRowsAreTheFold();
      const ready = await service.call<JsonObject>('GET', '/health/ready');
      expect([ready.status, JSON.stringify(ready.body)]).toStrictEqual([
        200,
        expect.not.stringContaining('another_log'),
      ]);
    });
  });

  it('a restart with the same log raises no alarm and keeps the rows', async () => {
    const rows = () => installation.query('select ctid, * from sem.fact order by key');
    const before = await rows();
    await installation.serve(async (service) => expect(alarms(service)).toStrictEqual([]));
    expect(await rows()).toStrictEqual(before);
  });

  it('an older log that has grown past the checkpoints is recognised by the hash of their event', async () => {
    await installation.serve((service) => fill(service, 'replaced', 2));
    await installation.eventStore.restore();
    const elsewhere = await startTestPostgres();
    const other = await TestService.start({
      servers: { eventStore: installation.eventStore, postgres: elsewhere },
    });
    await fill(other, 'grown', 40);
    await other.stop();
    await elsewhere.stop();
    await installation.serve(async (service) => {
      expect(alarms(service)).toStrictEqual(['fatal']);
      const admin = await Caller.of(service, 'admin');
      await isAbsent(admin, 'replaced-1');
      expect(await valueOf(admin, 'grown-1')).toBe(1);
      await installation.assertRowsAreTheFold();
    });
  });

  it('checkpoints of an earlier release, which keep no event, are compared with the end of the log', async () => {
    await installation.serve((service) => fill(service, 'unmarked', 2));
    for (const schema of SCHEMAS)
      await installation.query(
        `alter table ${schema}.checkpoint drop column event_position, drop column event_stream,
           drop column event_number, drop column event_hash`,
      );
    await installation.serve(async (service) => expect(alarms(service)).toStrictEqual([]));
    await installation.eventStore.restore();
    await installation.serve(async (service) => {
      expect(alarms(service)).toStrictEqual(['fatal']);
      await isAbsent(await Caller.of(service, 'admin'), 'unmarked-1');
      await installation.assertRowsAreTheFold();
    });
  });

  it('an empty log under a filled Postgres leaves no row', async () => {
    await installation.serve((service) => fill(service, 'gone', 2));
    await installation.eventStore.restore({ from: null });
    await installation.serve(async (service) => {
      expect(alarms(service)).toStrictEqual(['fatal']);
      const admin = await Caller.of(service, 'admin');
      await isAbsent(admin, 'gone-1');
      await put(admin, 'first', 1);
      expect(await valueOf(admin, 'first')).toBe(1);
      await installation.assertRowsAreTheFold();
    });
  });

  it('the health check shows what was found until the rebuild has ended', async () => {
    await installation.serve(async (service) => {
      const finding = 'The checkpoint of sem is at position 9, and the log is empty.';
      await installation.query(
        `update read_models.projection set another_log = '${finding}' where name = 'sem'`,
      );
      const { status, body } = await service.call<{
        details: Record<string, JsonObject>;
      }>('GET', '/health/ready');
      expect(status).toBe(503);
      expect(body.details['projection_sem']).toMatchObject({
        ...{ status: 'down', another_log: finding, rebuilding: true },
      });
      expect(body.details['projection_jobs']).toMatchObject({ status: 'up', rebuilding: false });
    });
  });
});

describe('A log that is replaced under a running service', () => {
  let installation: Installation;
  let service: TestService;
  let admin: Caller;

  beforeAll(async () => {
    installation = await Installation.start();
    service = await installation.service();
    await fill(service, 'old', 2);
    await installation.eventStore.backUp();
    admin = await Caller.of(service, 'admin');
    await fill(service, 'lost', 20);
  });
  afterAll(async () => {
    await service.stop();
    await installation.stop();
  });

  it('`mace rebuild` ends, and its read model is the fold of the older log', async () => {
    await installation.eventStore.restore();
    const { code, stdout, stderr } = await mace([
      ...['rebuild', 'sem', '--url', service.url],
      ...['--token', admin.token],
    ]);
    expect([code, stderr]).toStrictEqual([0, expect.any(String)]);
    expect(stdout).toMatch(/^sem is rebuilt and live/);
    await installation.assertRowsAreTheFold();
    expect(alarms(service)).toStrictEqual(['fatal']);
    const rebuilt = service.log.filter(({ type }) => type === 'another_log_rebuilt');
    expect(rebuilt.flatMap(({ projections }) => projections as string[]).sort()).toStrictEqual(
      [...SCHEMAS].sort(),
    );
  });

  it('a command is decided on the older log, and not on what this process remembers', async () => {
    await put(admin, 'old-1', 'decided before');
    await put(admin, 'kept-by-nobody', 'decided before');
    await installation.eventStore.restore();
    await put(admin, 'old-1', 'decided after');
    await put(admin, 'kept-by-nobody', 'decided after');
    const { code, stdout } = await mace([
      ...['verify', '--log', '--decisions', '--event-store', installation.eventStore.url],
    ]);
    expect([code, stdout]).toStrictEqual([0, expect.stringMatching(/no findings/)]);
    const log = connectEventStore(installation.eventStore.url);
    const last = await log.lastOf('sem-world/kept/old-1/value');
    await log.close();
    expect(last).toMatchObject({ number: 1, data: { value: 'decided after' } });
  });
});

describe('The id of a log', () => {
  let installation: Installation;
  let elsewhere: Installation;

  beforeAll(async () => {
    installation = await Installation.start();
    elsewhere = await Installation.start();
    await installation.serve((service) => fill(service, 'own', 2));
    await elsewhere.serve((service) => fill(service, 'foreign', 2));
  });
  afterAll(async () => {
    await installation.stop();
    await elsewhere.stop();
  });

  it('is made at the first start, and is kept beside the keys and in Postgres', async () => {
    const { log, kept } = await installation.logIds();
    expect(kept).toBe(log);
    const made = 'select distinct log_id from read_models.projection';
    expect(await installation.query(made)).toStrictEqual([{ log_id: log }]);
    expect((await elsewhere.logIds()).log).not.toBe(log);
  });

  it('refuses to start with the keys of another log, and leaves its read models alone', async () => {
    const { log: own } = await installation.logIds();
    await installation.eventStore.backUp();
    await installation.eventStore.takeFrom(elsewhere.eventStore);
    const { log: foreign } = await installation.logIds();
    const process = installation.serviceProcess();
    expect(await process.exited).toBe(4);
    expect(process.stderr.trim().split('\n')).toStrictEqual([
      expect.stringMatching(
        `^The keys of this installation belong to the log ${own} .*/log-id\\), and the event store holds the log ${foreign}: .*delete .*/log-id and start again.$`,
      ),
    ]);
    const [row] = await installation.query<{ count: string }>('select count(*) from sem.fact');
    expect(row?.count).toBe('2');
  });

  it('distinguishes read models of another log, which are rebuilt before the service is ready', async () => {
    const service = await installation.service({ dataDir: temporaryFolder('other-keys').path });
    try {
      const [{ finding } = { finding: undefined }] = service.log.filter(
        ({ type }) => type === 'another_log',
      );
      expect(finding).toMatch(
        /^The read model action_requests is made from the log .*, and this is the log /,
      );
      const admin = await Caller.of(service, 'admin');
      expect(await valueOf(admin, 'foreign-1')).toBe(1);
      await isAbsent(admin, 'own-1');
      await installation.assertRowsAreTheFold();
    } finally {
      await service.stop();
    }
  });

  it('follows a restored backup, and a copy of the log on another server', async () => {
    await installation.eventStore.restore();
    await installation.serve(async (service) => {
      expect(await valueOf(await Caller.of(service, 'admin'), 'own-1')).toBe(1);
    });
    const copy = await startOwnEventStore();
    const { code } = await mace([
      ...['copy-log', '--from', installation.eventStore.url, '--to', copy.url],
    ]);
    expect(code).toBe(0);
    const log = connectEventStore(copy.url);
    expect(await logIdOf(log)).toBe((await installation.logIds()).kept);
    await log.close();
    await copy.stop();
  });

  it('is given to a log without one, as of an earlier release, and the kept id follows loudly', async () => {
    const { kept: before } = await installation.logIds();
    await installation.eventStore.restore({ from: null });
    await installation.serve(async (service) => {
      const { log, kept } = await installation.logIds();
      expect([kept === before, kept]).toStrictEqual([false, log]);
      expect(service.log).toContainEqual(
        expect.objectContaining({ type: 'log_id_replaced', before, log_id: log }),
      );
    });
    await installation.serve(async (service) => expect(alarms(service)).toStrictEqual([]));
  });

  it('ends a service whose event store comes back with another log or with an older one', async () => {
    /** Returns the lines that the service printed; a read model may notice the change too, before or after. */
    const running = async (change: () => Promise<void>): Promise<string[]> => {
      const process = installation.serviceProcess();
      const { url } = await process.ready();
      const client = new ServiceClient(url, TEST_KEYS.MACE_JWT_SECRET);
      const admin = await Caller.of(client, 'admin');
      await installation.eventStore.backUp();
      await put(admin, 'since-the-backup', 1);
      await change();
      expect(await process.exited).toBe(1);
      return process.stderr.trim().split('\n');
    };
    const older = await running(() => installation.eventStore.restore());
    expect(older).toContainEqual(
      expect.stringMatching(
        /^The event store came back with another log: it ends at position \d+, and this process has appended up to position \d+\. .* Start it again\.$/,
      ),
    );
    const other = await running(() => installation.eventStore.takeFrom(elsewhere.eventStore));
    expect(other).toContainEqual(
      expect.stringMatching(
        /^The event store came back with another log: it is the log .*, and was the log .* Start it again\.$/,
      ),
    );
  });
});

describe('A data directory whose keys are gone', () => {
  const KEYS_GONE = /keys\.json is missing, but .*(event-store|postgres) holds data/;

  it('§13 neither a service nor `mace token` replaces the keys of a directory with data', async () => {
    const { path } = temporaryFolder('keys-gone');
    const first = ServiceProcess.spawn(path);
    await first.ready();
    await first.stop();
    const keys = await keysOf(path);
    await rm(join(path, 'keys.json'));
    const second = ServiceProcess.spawn(path);
    expect(await second.exited).toBe(4);
    expect(second.stderr).toMatch(KEYS_GONE);
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    const token = await mace(['token', '--role', 'admin', '--sub', 'a'], { MACE_DATA_DIR: path });
    expect([token.code === 0, token.stderr]).toStrictEqual([
      false,
      expect.stringMatching(KEYS_GONE),
    ]);
    await rm(join(path, 'event-store'), { recursive: true });
    await expect(readConfig({ MACE_DATA_DIR: path })).rejects.toThrow(BadConfig);
    await readConfig({
      MACE_DATA_DIR: path,
      MACE_JWT_SECRET: keys.jwtSecret,
      MACE_SIGNING_KEY: keys.signingKey,
      MACE_SEALING_KEY: keys.sealingKey,
    });
  });

  it('a missing bundle key alone is made, because directories of earlier releases have none', async () => {
    const { path } = temporaryFolder('bundle-key-gone');
    const postgres = await startTestPostgres();
    const first = ServiceProcess.spawn(path, { MACE_POSTGRES_URL: postgres.url });
    await first.ready();
    await first.stop();
    await postgres.stop();
    await rm(join(path, 'bundle-key.pem'));
    const config = await readConfig({ MACE_DATA_DIR: path });
    expect(config.bundleKey.asymmetricKeyType).toBe('ed25519');
  });
});
