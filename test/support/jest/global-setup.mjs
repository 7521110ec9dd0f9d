import { execFileSync } from 'node:child_process';

/**
 * Builds dist/, because tests start programs from there, and starts the servers that the tests share.
 */
export default async function globalSetup({ maxWorkers }) {
  // The build is a child process, because watch mode must build before each run but loads a module only
  // once.
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const { startSharedServers } = await import('#test/support/shared-servers.js');
  await startSharedServers(maxWorkers);
}
