import { expect, test } from '@jest/globals';
import { openLogger } from '#platform/start/logger.js';
import { SharedRun } from '#apps/api/integrity/shared-run.js';
import { LogVerificationWorker } from '#apps/api/reflective-logs/log-verification-worker.js';
import type { LogVerification } from '#apps/api/reflective-logs/log-verification.js';
import { Postgres } from '#read-model/postgres.js';
import { readConfig } from '#platform/config/service-config.js';
import { startEmptyPostgres } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const MINUTES = 1 / 60_000;
const HOUR_MS = 3_600_000;

test('L5 the verification runs again and again, even after a failed run, until the service stops', async () => {
  const folder = temporaryFolder('verification-worker');
  const config = await readConfig({ MACE_DATA_DIR: folder.path });
  const lines: { type: string }[] = [];
  const logger = openLogger('info', {
    write: (line) => lines.push(JSON.parse(line) as { type: string }),
  });
  let runs = 0;
  let enough: () => void = () => undefined;
  const fourRuns = new Promise<void>((resolve) => (enough = resolve));
  const verification = {
    run: async () => {
      runs += 1;
      if (runs === 2) throw new Error('Postgres does not answer');
      if (runs === 4) enough();
      return { checked: 1, intact: 1, findings: [] };
    },
  } as unknown as LogVerification;
  const server = await startEmptyPostgres();
  const postgres = new Postgres({ url: server.url });
  const worker = new LogVerificationWorker(
    { ...config, verifyLogsMinutes: MINUTES },
    logger,
    verification,
    postgres,
  );
  // Keeps this process alive, because the pauses of the worker do not.
  const alive = setInterval(() => undefined, 1_000);
  worker.onApplicationBootstrap();
  await fourRuns;
  await worker.onModuleDestroy();
  clearInterval(alive);
  const seen = runs;
  expect(lines.slice(0, 3).map(({ type }) => type)).toStrictEqual([
    'reflective_logs_verified',
    'reflective_logs_unverified',
    'reflective_logs_verified',
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(runs).toBe(seen);
  await postgres.close();
  await server.stop();
  folder.remove();
});

test('L5 another instance begins the verification again at once if the service stops during a run', async () => {
  const folder = temporaryFolder('verification-worker');
  const config = await readConfig({ MACE_DATA_DIR: folder.path });
  const server = await startEmptyPostgres();
  const postgres = new Postgres({ url: server.url });
  const other = new SharedRun<object>(postgres, 'reflective_logs');
  await other.read();
  await postgres.query(`update verification.run set ended_at = now() - interval '2 hours'`);
  let end: (cause: Error) => void = () => undefined;
  let begin: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (begin = resolve));
  const verification = {
    run: () => {
      begin();
      return new Promise((_, reject) => (end = reject));
    },
  } as unknown as LogVerification;
  const worker = new LogVerificationWorker(
    { ...config, verifyLogsMinutes: MINUTES },
    openLogger('silent'),
    verification,
    postgres,
  );
  const alive = setInterval(() => undefined, 1_000);
  worker.onApplicationBootstrap();
  await hasBegun;
  clearInterval(alive);
  const stopped = worker.onModuleDestroy();
  end(new Error('stopped'));
  await stopped;
  const held = await other.begin(() => ({}), { dueAfterMs: HOUR_MS });
  expect(held).toBeDefined();
  await held?.end();
  await postgres.close();
  await server.stop();
  folder.remove();
});

test('L5 the verification does not run on its own if its interval is 0 minutes', async () => {
  const folder = temporaryFolder('verification-worker');
  const config = await readConfig({
    MACE_DATA_DIR: folder.path,
    MACE_VERIFY_LOGS_MINUTES: '0',
  });
  const verification = {
    run: () => {
      throw new Error('it ran');
    },
  } as unknown as LogVerification;
  const postgres = new Postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const worker = new LogVerificationWorker(config, openLogger('silent'), verification, postgres);
  worker.onApplicationBootstrap();
  await worker.onModuleDestroy();
  await postgres.close();
  folder.remove();
});
