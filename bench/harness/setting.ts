import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#embedded/index.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { root } from './children.js';

/** The servers that all cases of a run share: the same Postgres and event store, on the same disk. */
export interface Setting {
  /** A folder of this run, which is removed at its end. */
  readonly dataDir: string;
  readonly eventStoreUrl: string;
  readonly eventStore: EventStore;
  /** Creates a new, empty database in the shared Postgres. */
  newDatabase(): Promise<string>;
  /** Returns the size for a full run, and a tenth of it for a quick run. */
  sized(count: number): number;
  readonly quick: boolean;
}

/**
 * Runs `work` on the event store of MACE_EVENTSTORE_URL, or else an embedded one, and on an embedded Postgres, in a
 * folder beside the sources, and removes the folder afterwards.
 */
export async function withSetting(
  quick: boolean,
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(root, '.bench-'));
  const given = process.env['MACE_EVENTSTORE_URL'] || undefined;
  const servers = await startEmbedded({
    dataDir,
    eventStore: given === undefined,
    postgres: true,
    log: () => undefined,
    onCrash: (name, cause) => process.stderr.write(`${name} crashed: ${cause}\n`),
    onNotice: (sentence) => process.stderr.write(`${sentence}\n`),
    onGivenUp: ({ message }) => process.stderr.write(`${message}\n`),
  });
  const { eventStoreUrl = given, postgresUrl } = servers;
  if (eventStoreUrl === undefined || postgresUrl === undefined) throw new Error('No servers');
  const eventStore = connectEventStore(eventStoreUrl);
  try {
    await eventStore.ping();
    await work({
      dataDir,
      eventStoreUrl,
      eventStore,
      newDatabase: () => newDatabase(postgresUrl),
      sized: (count) => (quick ? Math.ceil(count / 10) : count),
      quick,
    });
  } finally {
    await eventStore.close();
    await servers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function newDatabase(server: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
