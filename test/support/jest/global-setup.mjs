import { execFileSync } from 'node:child_process';

/** Brings dist/ up to date, since tests spawn programs from there, and starts the Postgres that they share. */
export default async function globalSetup() {
  // In a process of its own, since watch mode asks for it before each run.
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const { startSharedPostgres } = await import('#test/support/shared-postgres.js');
  await startSharedPostgres();
}
