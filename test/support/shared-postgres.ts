import { startTestPostgres, type TestServer } from './servers.js';

let shared: TestServer | undefined;

/** Starts the Postgres of a test run and sets MACE_TEST_POSTGRES_URL, unless a URL is already set. */
export async function startSharedPostgres(): Promise<void> {
  if (process.env['MACE_POSTGRES_URL'] ?? process.env['MACE_TEST_POSTGRES_URL']) return;
  shared = await startTestPostgres({ own: true });
  process.env['MACE_TEST_POSTGRES_URL'] = shared.url;
}

export async function stopSharedPostgres(): Promise<void> {
  await shared?.stop();
  shared = undefined;
  delete process.env['MACE_TEST_POSTGRES_URL'];
}
