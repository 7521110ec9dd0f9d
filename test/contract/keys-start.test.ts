import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { KeysStart } from '#apps/api/privacy/keys-start.js';
import type { LogEnd } from '#apps/api/platform/log-end.js';
import type { SealedValueQueries } from '#projections/sealed-values/queries.js';
import { KEYS_ROLE } from '#read-model/api-role.js';
import { Postgres } from '#read-model/postgres.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { startEmptyPostgres, type TestServer } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const folder = temporaryFolder('keys-start');
let server: TestServer;
beforeAll(async () => {
  server = await startEmptyPostgres();
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

test('a service starts whose Postgres could not prepare the role of the keys a moment before', async () => {
  const owner = new Postgres({ url: server.url });
  // A service of another database on the same server has made the role.
  await owner.query(
    `do $$ begin create role ${KEYS_ROLE} nologin; exception when duplicate_object then null; end $$`,
  );
  const postgres = new Postgres({ url: server.url, role: KEYS_ROLE });
  const keys = new SubjectKeys(postgres, new SealingKeys('a'.repeat(43) + '=', []), folder.path);
  const log = { reach: () => Promise.resolve() } as Partial<LogEnd> as LogEnd;
  const values = {
    erasedKeys: async function* () {
      yield* [];
    },
  } as Partial<SealedValueQueries> as SealedValueQueries;
  const start = new KeysStart(pino({ level: 'silent' }), keys, values, log, owner);
  try {
    await start.onApplicationBootstrap();
    await start.onModuleDestroy();
    expect(await keys.hasKey('user_ada')).toBe(false);
  } finally {
    await postgres.close();
    await owner.close();
  }
});
