import pg from 'pg';

/** Returns the URL of the Postgres in which test files have databases; undefined if there is none. */
export const serverOfThisRun = (): string | undefined =>
  process.env['MACE_POSTGRES_URL'] ?? process.env['MACE_TEST_POSTGRES_URL'];

/** Runs one statement on a server. */
export async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
