import { Postgres } from '#read-model/postgres.js';
import { type KeyRow, keysInFile, keysInTable } from '#subject-keys/key-file.js';

/**
 * Returns the wrapped keys of subjects, each once. The file, which a restore leaves, is read before the table,
 * because the service moves its keys to the table, which counts if both have a key. Fails with
 * `PostgresUnavailable`.
 */
export async function subjectKeys(
  dataDir: string,
  postgresUrl: string | undefined,
): Promise<readonly KeyRow[]> {
  const inFile = (await keysInFile(dataDir)) ?? [];
  const inTable = postgresUrl === undefined ? [] : await fromPostgres(postgresUrl);
  const known = new Map([...inFile, ...inTable].map((key) => [key.kid, key]));
  return [...known.values()];
}

async function fromPostgres(url: string): Promise<KeyRow[]> {
  const postgres = new Postgres({ url, maxConnections: 1 });
  try {
    return await keysInTable(postgres);
  } finally {
    await postgres.close();
  }
}
