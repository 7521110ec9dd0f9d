import { execFileSync } from 'node:child_process';

/**
 * Builds dist/, because tests start programs from there, and starts the Postgres that the tests share.
 */
export default async function globalSetup() {
  // The build is a child process, because watch mode must build before each run but loads a module only
  // once.
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const { startSharedPostgres } = await import('#test/support/shared-postgres.js');
  await startSharedPostgres();
}
