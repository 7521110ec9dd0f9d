import { connectEventStore } from '#event-store/event-store-db.js';
import { Postgres } from '#read-model/postgres.js';
import {
  assertJobsAreWhole,
  assertLogsAreWhole,
  assertSessionsAreWhole,
} from '#test/faults/support/checks.js';
import { streamsOf } from '#test/faults/support/log.js';
import { assertRowsAreTheFold, settled } from '#test/faults/support/read-models.js';
import { until } from '#test/faults/support/until.js';
import { operationFaults } from './checks/operations.js';
import { publicViewFaults } from './checks/public-views.js';
import { queueFaults } from './checks/storage-queue.js';
import { retryFaults } from './checks/retries.js';
import { chainFaults } from './checks/verified-log.js';
import type { Deployment } from './deployment.js';
import type { Journal } from './journal.js';

/** Process managers postpone an obligation that failed by up to a minute, and `settled` waits as long. */
const SETTLING_ATTEMPTS = 4;

/** The number of faults of one check that are named. */
const NAMED = 10;

/**
 * Checks a deployment after its faults are over and its clients have finished. Returns one text for each
 * fault that it finds; `onStep` gets the name of each check when it begins.
 */
export async function findFaults(
  { urls, instances }: Deployment,
  journal: Journal,
  onStep: (name: string) => void,
): Promise<string[]> {
  const log = connectEventStore(urls['event-store']);
  const rows = new Postgres({ url: urls.postgres, maxConnections: 3 });
  const faults: string[] = [];
  const check = async (name: string, find: () => Promise<readonly string[] | void>) => {
    onStep(name);
    try {
      const found = (await find()) ?? [];
      faults.push(...found.slice(0, NAMED).map((fault) => `${name}: ${fault}`));
      if (found.length > NAMED) faults.push(`${name}: and ${found.length - NAMED} more`);
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
    }
  };
  await check('both instances are ready again', async () => {
    for (const { url } of instances)
      await until(`${url} is ready`, async () => {
        const response = await fetch(`${url}/health/ready`);
        if (!response.ok) throw new Error(await response.text());
        return true;
      });
  });
  await check('every refused write has left the queue', () => queueFaults(rows));
  await check('every obligation is settled', async () => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await settled(log, rows);
      } catch (error) {
        if (attempt === SETTLING_ATTEMPTS) throw error;
      }
  });
  await check('each operation is in the log exactly once', async () =>
    operationFaults(await streamsOf(log), journal.operations),
  );
  await check('a late retry gets the first answer', () => retryFaults(journal.operations, log));
  await check('the rows equal the fold of the log', () =>
    assertRowsAreTheFold(log, rows, urls.postgres),
  );
  for (const instance of instances) {
    await check(`the views of ${instance.url} equal the log`, async () =>
      publicViewFaults(instance, await streamsOf(log)),
    );
    await check(`the jobs of ${instance.url} replay`, () =>
      assertJobsAreWhole(instance, rows, () => true),
    );
  }
  await check('every session is whole', () => assertSessionsAreWhole(log));
  await check('every ended job has its ReflectiveLog', () => assertLogsAreWhole(log));
  await check('every chain is whole', () => chainFaults(urls['event-store']));
  await log.close();
  await rows.close();
  return faults;
}
