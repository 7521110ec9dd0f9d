import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Postgres } from '#read-model/postgres.js';
import {
  QUEUE_FILE,
  type RefusedWrite,
  refusedWritesIn,
} from '#platform/storage-queue/refused-writes.js';
import { ifExists } from './durable-files.js';

const TABLE = 'admin_queue.refused_write';
const PAGE = 100;

/**
 * Returns the refused writes that wait for room in the log, in the order of their refusal, each once. The files
 * are read before the table, because the service moves writes from its file to the table.
 */
export async function queuedWrites(
  dataDir: string,
  postgresUrl: string | undefined,
): Promise<readonly RefusedWrite[]> {
  const inFiles = await writesInFiles(dataDir);
  const inTable = postgresUrl === undefined ? [] : await writesInTable(postgresUrl);
  const known = new Map<string, RefusedWrite>();
  for (const write of [...inTable, ...inFiles])
    if (!known.has(write.command_id)) known.set(write.command_id, write);
  return [...known.values()];
}

async function writesInFiles(dataDir: string): Promise<RefusedWrite[]> {
  const writes: RefusedWrite[] = [];
  for (const name of (await readdir(dataDir)).sort()) {
    if (!/^admin-queue(?:-\d+)?$/.test(name)) continue;
    const bytes = await ifExists(readFile(join(dataDir, name, QUEUE_FILE)));
    if (bytes !== undefined) writes.push(...refusedWritesIn(bytes));
  }
  return writes;
}

/** Reads the table that the service's storage queue keeps. Fails with `PostgresUnavailable`. */
async function writesInTable(url: string): Promise<RefusedWrite[]> {
  const postgres = new Postgres({ url, maxConnections: 1 });
  const writes: RefusedWrite[] = [];
  try {
    const [found] = await postgres.query<{ exists: boolean }>(
      'select to_regclass($1) is not null as exists',
      [TABLE],
    );
    let after = found?.exists === true ? '0' : undefined;
    while (after !== undefined) {
      const rows: (RefusedWrite & { readonly seq: string })[] = await postgres.query(
        `select seq, command_id, command, keyed, caller, stream, route, trace_id, refused_at, sealed
          from ${TABLE} where seq > $1 order by seq limit ${PAGE}`,
        [after],
      );
      for (const { seq: _, ...write } of rows) writes.push(write);
      after = rows.at(-1)?.seq;
    }
    return writes;
  } finally {
    await postgres.close();
  }
}
