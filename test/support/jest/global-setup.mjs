import { build } from '../../../scripts/build.mjs';

/** Builds what is stale, since tests spawn programs from dist/, and starts the Postgres that they share. */
export default async function globalSetup() {
  await build({ onlyStale: true });
  const { startSharedPostgres } = await import('#test/support/shared-postgres.js');
  await startSharedPostgres();
}
