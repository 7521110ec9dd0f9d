import type { EventStore } from '#event-store/event-store.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ServiceClient } from '#test/support/service-client.js';
import {
  assertJobsAreWhole,
  assertLogsAreWhole,
  assertNothingLostOrDoubled,
  assertRetriesGetTheFirstAnswer,
  assertSessionsAreWhole,
} from './checks.js';
import { Ledger } from './ledger.js';
import { assertRowsAreTheFold } from './read-models.js';
import { until } from './until.js';
import { tokensFor, Writers } from './writers.js';

/** The number of commands that must be acknowledged before a fault, and again after it. */
const ENOUGH = 300;
const RETRY_EVERY = 20;

/** A service under load, with the servers that the checks read. */
export interface UnderLoad {
  readonly service: ServiceClient;
  readonly deployment: {
    readonly log: EventStore;
    readonly rows: Postgres;
    readonly postgres: { readonly url: string };
  };
}

/**
 * Runs the faults one after the other while 64 writers send commands, and waits after each until the writers are
 * at work again. Then asserts that the log holds each acknowledged command exactly once, and checks the rows, the
 * retries, the jobs and the sessions. The log and the rows must be those of this service alone.
 */
export async function survivesFaults(
  { service, deployment: { log, rows, postgres } }: UnderLoad,
  name: string,
  faults: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const ledger = new Ledger();
  const writers = new Writers(service, await tokensFor(service), ledger, name);
  await writers.start();
  await until('the writers are at work', () => ledger.acknowledged > ENOUGH);
  for (const fault of faults) {
    await fault();
    const before = ledger.acknowledged;
    await until('the writers are at work again', () => ledger.acknowledged > before + ENOUGH);
  }
  await writers.stop();
  await assertNothingLostOrDoubled(log, ledger);
  await assertRetriesGetTheFirstAnswer(service, log, ledger, RETRY_EVERY);
  await assertRowsAreTheFold(log, rows, postgres.url);
  await assertJobsAreWhole(service, rows, () => true);
  await assertSessionsAreWhole(log);
  await assertLogsAreWhole(log);
}
