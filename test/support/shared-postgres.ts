import { startTestPostgres, type TestServer } from './servers.js';

/** The Postgres of a whole test run. */
export const startSharedPostgres = (): Promise<TestServer> => startTestPostgres({ own: true });
