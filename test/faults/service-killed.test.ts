import { afterAll, beforeAll, test } from '@jest/globals';
import {
  assertJobsAreWhole,
  assertLogsAreWhole,
  assertNothingLostOrDoubled,
  assertRetriesGetTheFirstAnswer,
  assertSessionsAreWhole,
} from './support/checks.js';
import { Deployment } from './support/deployment.js';
import type { KillableService } from './support/killable-service.js';
import { Ledger } from './support/ledger.js';
import { assertRowsAreTheFold } from './support/read-models.js';
import { until } from './support/until.js';
import { tokensFor, Writers } from './support/writers.js';

/** The number of commands that must be acknowledged before a fault, and again after it. */
const ENOUGH = 300;
const RETRY_EVERY = 20;

let deployment: Deployment;
let service: KillableService;

beforeAll(async () => {
  deployment = await Deployment.start();
  service = await deployment.service();
});

afterAll(() => deployment.stop());

/**
 * Kills and restarts a server while 64 writers send commands, then checks the log, the rows and retries.
 */
async function survives(
  name: string,
  fault: { kill(): Promise<void>; restart(): Promise<void> },
): Promise<void> {
  const { log, rows, postgres } = deployment;
  const ledger = new Ledger();
  const writers = new Writers(service, await tokensFor(service), ledger, name);
  await writers.start();
  await until('the writers are at work', () => ledger.acknowledged > ENOUGH);
  await fault.kill();
  await fault.restart();
  const before = ledger.acknowledged;
  await until('the writers are at work again', () => ledger.acknowledged > before + ENOUGH);
  await writers.stop();
  await assertNothingLostOrDoubled(log, ledger);
  await assertRetriesGetTheFirstAnswer(service, log, ledger, RETRY_EVERY);
  await assertRowsAreTheFold(log, rows, postgres.url);
  await assertJobsAreWhole(service, rows, () => true);
  await assertSessionsAreWhole(log);
  await assertLogsAreWhole(log);
}

test('kill -9 of the service under 64 writers neither loses nor repeats an acknowledged command', () =>
  survives('service', service));

test('kill -9 of the event store under 64 writers neither loses nor repeats an acknowledged command', () =>
  survives('log', deployment.eventStore));

test('kill -9 of Postgres under 64 writers neither loses nor repeats an acknowledged command', () =>
  survives('rows', deployment.postgres));
