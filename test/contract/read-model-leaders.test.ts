import { expect, test } from '@jest/globals';
import { logIdOf } from '#event-store/log-id.js';
import { projectionRecords } from '#read-model/projection-records.js';
import type { Projection } from '#read-model/projection.js';
import { startOwnEventStore } from '#test/support/servers.js';
import { appendNotes, logTo, notesIn, ReadModelWorld, tally, until } from './read-model-world.js';

interface LogLine {
  readonly msg: string;
  readonly held?: readonly string[];
  readonly type?: string;
  readonly projections?: readonly string[];
}

const world = new ReadModelWorld(startOwnEventStore);
let appended = 0;

const [ONE, OTHER] = [tally({ name: 'one' }), tally({ name: 'other' })];

/** Starts a runner in place of a process, and returns the lines that it logs. */
function run(projections: readonly Projection[], isDedicated = false): LogLine[] {
  const lines: LogLine[] = [];
  world.run(projections, { isDedicated, log: logTo(lines) });
  return lines;
}

const leads = (lines: readonly LogLine[], ...names: readonly string[]): Promise<void> =>
  until(() => lines.findLast(({ held }) => held !== undefined)?.held?.join() === names.join());

/** Appends ten events, and resolves once both read models show every event exactly once. */
async function bothShowNewEvents(): Promise<void> {
  appended += 10;
  const position = await appendNotes(world.eventStore, 'sample', 10);
  await world.watch.waitFor(['one', 'other'], position, 60_000);
  expect([
    await notesIn(world.postgres, 'one'),
    await notesIn(world.postgres, 'other'),
  ]).toStrictEqual([appended, appended]);
}

test('a process that leads all read models leaves one to a process that is started for it, and takes it back', async () => {
  const all = run([ONE, OTHER]);
  await leads(all, 'one', 'other');
  await bothShowNewEvents();
  const dedicated = run([ONE], true);
  await leads(dedicated, 'one');
  await leads(all, 'other');
  await bothShowNewEvents();
  await world.runners.pop()?.stop();
  await leads(all, 'one', 'other');
  await bothShowNewEvents();
});

test('of two processes that start at once, one leads all read models', async () => {
  const logs = [run([ONE, OTHER]), run([ONE, OTHER])];
  await bothShowNewEvents();
  const led = logs.flat().flatMap(({ held }) => held?.join() ?? []);
  expect(led).toStrictEqual(['one,other']);
});

test('each leader empties and rebuilds its own read models if they are of another log', async () => {
  const start = () => [run([ONE], true), run([OTHER])] as const;
  start();
  await bothShowNewEvents();
  await world.stopRunners();
  await world.postgres.query(`update read_models.projection set log_id = 'another'`);
  const logs = start();
  for (const [index, name] of ['one', 'other'].entries())
    await until(() =>
      (logs[index] ?? []).some(
        ({ type, projections }) => type === 'another_log' && projections?.join() === name,
      ),
    );
  await bothShowNewEvents();
  await until(async () =>
    (await projectionRecords(world.postgres)).every(({ anotherLog }) => anotherLog === undefined),
  );
  const ids = await world.postgres.query('select distinct log_id from read_models.projection');
  expect(ids).toStrictEqual([{ log_id: await logIdOf(world.eventStore) }]);
});
