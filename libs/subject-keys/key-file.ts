import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '#files/regular-file.js';
import type { Postgres } from '#read-model/postgres.js';

/** The file of a backup with the wrapped keys of subjects, and of a data directory right after a restore. */
export const KEY_FILE = 'subject-keys.ndjson';

const TABLE = 'subject_keys.subject_key';
const PAGE = 1_000;

/** A row of the table of keys, as JSON. */
export interface KeyRow {
  readonly kid: string;
  readonly subject: string;
  readonly version: number;
  /** Null if the key is destroyed. */
  readonly wrapped: string | null;
  readonly wrapped_by: string;
  readonly created_at: string;
  readonly destroyed_at: string | null;
  readonly destroyed_by: string | null;
}

/** Returns a row as a line of the file. */
export const keyLine = (row: KeyRow): Buffer => Buffer.from(`${JSON.stringify(row)}\n`);

/** Reads the key file of a data directory; undefined if the directory has no such file. */
export async function keysInFile(dataDir: string): Promise<readonly KeyRow[] | undefined> {
  const bytes = await readRegular(join(dataDir, KEY_FILE), Infinity).catch((cause) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  });
  return bytes
    ?.toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KeyRow);
}

/** Removes the file once its keys are in Postgres: an erasure must leave no other copy of a key. */
export const removeKeyFile = (dataDir: string): Promise<void> =>
  rm(join(dataDir, KEY_FILE), { force: true });

/** Reads all keys from Postgres; none if it has no table of keys. Fails with `PostgresUnavailable`. */
export async function keysInTable(postgres: Postgres): Promise<KeyRow[]> {
  const [found] = await postgres.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [TABLE],
  );
  if (found?.exists !== true) return [];
  const keys: KeyRow[] = [];
  for (;;) {
    const rows = await postgres.query<{ key: KeyRow }>(
      `select row_to_json(subject_key) as key from ${TABLE} where kid > $1 order by kid limit ${PAGE}`,
      [keys.at(-1)?.kid ?? ''],
    );
    keys.push(...rows.map(({ key }) => key));
    if (rows.length < PAGE) return keys;
  }
}
