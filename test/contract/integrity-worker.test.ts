import { expect, test } from '@jest/globals';
import { IntegrityWorker } from '#apps/api/integrity/integrity-worker.js';
import { IntegrityVerification } from '#apps/api/integrity/integrity-verification.js';
import { Metrics } from '#apps/api/platform/health/metrics.js';
import { Postgres } from '#read-model/postgres.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { readConfig } from '#platform/config/service-config.js';
import { openLogger } from '#platform/start/logger.js';
import { startOwnEventStore, startEmptyPostgres } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const MINUTES = 1 / 60_000;

test('I6 the event log is verified again and again, even after a failed run, until the service stops', async () => {
  const folder = temporaryFolder('integrity-worker');
  const config = await readConfig({ MACE_DATA_DIR: folder.path });
  const server = await startOwnEventStore();
  const types: string[] = [];
  let onLine: () => void = () => undefined;
  const logger = openLogger('info', {
    write: (line) => {
      types.push((JSON.parse(line) as { type: string }).type);
      onLine();
    },
  });
  const logged = (type: string): Promise<void> =>
    new Promise((resolve) => {
      const from = types.length;
      onLine = () => {
        if (types.includes(type, from)) resolve();
      };
    });
  const eventStore = connectEventStore(server.url);
  const postgresServer = await startEmptyPostgres();
  const postgres = new Postgres({ url: postgresServer.url });
  const verification = new IntegrityVerification(eventStore, logger, new Metrics(), postgres);
  const worker = new IntegrityWorker(
    { ...config, verifyEventLogMinutes: MINUTES },
    logger,
    verification,
  );
  worker.onApplicationBootstrap();
  await logged('event_log_verified');
  expect(await verification.last()).toMatchObject({
    ...{ found: 0, findings: [] },
    ...{ made_by: 'system', means: 'schedule' },
  });
  await server.kill();
  await logged('event_log_unverified');
  await server.restart();
  await logged('event_log_verified');
  verification.onModuleDestroy();
  await worker.onModuleDestroy();
  const seen = types.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(types).toHaveLength(seen);
  await eventStore.close();
  await postgres.close();
  await postgresServer.stop();
  await server.stop();
  folder.remove();
});
