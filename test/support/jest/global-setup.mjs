import { execFileSync } from 'node:child_process';

/** Brings dist/ up to date, since tests spawn programs from there, and starts the Postgres that they share. */
export default async function globalSetup() {
  // A child process, since watch mode needs it before each run, and a module is evaluated only once.
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const { startSharedPostgres } = await import('#test/support/shared-postgres.js');
  await startSharedPostgres();
}
