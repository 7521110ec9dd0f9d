/** Builds what is stale, since tests spawn programs from dist/, and starts the Postgres that they share. */
export default async function globalSetup() {
  await import('../../../scripts/build.mjs');
  const { startSharedPostgres } = await import('#test/support/shared-postgres.js');
  await startSharedPostgres();
}
