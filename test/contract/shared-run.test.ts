import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SharedRun } from '#apps/api/integrity/shared-run.js';
import { Postgres } from '#read-model/postgres.js';
import { startEmptyPostgres, type TestServer } from '#test/support/servers.js';
import { until } from './read-model-world.js';

interface Report {
  readonly checked: number;
}

const HOUR_MS = 3_600_000;

let server: TestServer;
let postgres: Postgres;
/** The same verification, as two instances see it. */
let here: SharedRun<Report>;
let there: SharedRun<Report>;

beforeAll(async () => {
  server = await startEmptyPostgres();
  postgres = new Postgres({ url: server.url });
});
beforeEach(() => {
  const subject = expect.getState().currentTestName ?? '';
  here = new SharedRun(postgres, subject);
  there = new SharedRun(postgres, subject);
});
afterAll(async () => {
  await postgres.close();
  await server.stop();
});

const nothing = (): Report => ({ checked: 0 });

test('of two instances one runs the verification, and both see its progress and its report', async () => {
  let checked = 1;
  const begun = await Promise.all([here, there].map((one) => one.begin(() => ({ checked }), {})));
  const [held, ...more] = begun.filter((one) => one !== undefined);
  expect(more).toStrictEqual([]);
  expect(await there.read()).toStrictEqual({ last: undefined, running: { checked: 1 } });
  checked = 2;
  await until(async () => (await there.read()).running?.checked === 2);
  await held?.end({ checked: 3 });
  for (const one of [here, there])
    expect(await one.read()).toStrictEqual({ last: { checked: 3 }, running: undefined });
});

test('a scheduled run begins on one instance, and on none before it is due again', async () => {
  const due = { dueAfterMs: HOUR_MS };
  const begin = () => Promise.all([here, there].map((one) => one.begin(nothing, due)));
  // The first interval begins with the first instance.
  expect(await begin()).toStrictEqual([undefined, undefined]);
  await postgres.query(`update verification.run set ended_at = now() - interval '2 hours'`);
  const [held, ...more] = (await begin()).filter((one) => one !== undefined);
  expect(more).toStrictEqual([]);
  await held?.end();
  expect(await begin()).toStrictEqual([undefined, undefined]);
});

test('another instance runs the verification if the first one falls silent or stops', async () => {
  const lost = await here.begin(nothing, {});
  expect(await there.begin(nothing, {})).toBeUndefined();
  await postgres.query(`update verification.run set beat_at = now() - interval '1 minute'`);
  expect((await there.read()).running).toBeUndefined();
  const held = await there.begin(nothing, {});
  expect(held).toBeDefined();
  // The first instance goes on without knowing that it was replaced.
  await lost?.end({ checked: 1 });
  expect(await here.read()).toStrictEqual({ last: undefined, running: { checked: 0 } });
  await held?.fail(AbortSignal.abort());
  const again = await here.begin(nothing, {});
  expect(again).toBeDefined();
  await again?.end();
});

test('a caller of another instance can ask the current run for the decisions as well', async () => {
  let asked = false;
  const held = await here.begin(nothing, {}, () => (asked = true));
  await there.askForDecisions();
  await until(() => asked);
  await held?.end();
});
