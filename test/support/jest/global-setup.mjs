import { execFileSync } from 'node:child_process';

/** Builds dist/, because tests spawn programs from it, and starts the Postgres that the tests share. */
export default async function globalSetup() {
  // A child process, because watch mode builds before each run but evaluates a module only once.
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const { startSharedPostgres } = await import('#test/support/shared-postgres.js');
  await startSharedPostgres();
}
