import { expect, test } from '@jest/globals';
import type { JobCommand } from '#domain/job/commands.js';
import { jobDecider } from '#domain/job/decider.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import {
  end,
  episode,
  goal,
  insert,
  start,
  STREAM,
  tick,
  ticks,
  use,
  useItem,
} from '#test/domain/job-cases.js';
import { recorded } from '#test/domain/replay-recording.js';

const run: JobCommand[] = [
  start({}, { goal: 'a trip to Rome' }),
  insert({ city: 'Rome' }),
  insert('two nights', 'context'),
  use(1),
  use(1),
  use(2),
  tick,
  episode('booked the train to Rome', { train: 9541 }),
  use(2),
  tick,
  useItem(1),
  useItem(1),
  tick,
  insert('gate 4', 'temp', 1),
  insert('window seat'),
  use(5),
  goal('the way home'),
  ...ticks(2),
  end,
];

test('000-M-T7 [stage1] [golden] [critical] a replay reproduces promotions and episodic writes exactly', async () => {
  const log = recorded(jobDecider, STREAM, run);
  const made = new Set(log.map((event) => event.type));
  for (const type of [
    'promotion_event',
    'cwm_returned',
    'wm_expired',
    'episode_written',
    'episode_consolidated',
    'episodic_summary',
  ])
    expect([`the run has no ${type}`, made.has(type)]).toStrictEqual([
      `the run has no ${type}`,
      true,
    ]);
  const report = await replayStream(jobDecider, STREAM, log, 'strict');
  expect(report.identical).toBe(true);
  expect(report.events_checked).toBe(log.length);
});

test('000-M-T7 [stage1] [golden] [critical] the same seed and commands give the same events and episodic ids', () => {
  const sequence = (recorded_at: string) =>
    recorded(jobDecider, STREAM, run, { recorded_at, trace_id: recorded_at }).map(
      ({ number, type, data, metadata: { event_id, seeded_ts } }) => ({
        number,
        type,
        data,
        event_id,
        seeded_ts,
      }),
    );
  expect(sequence('2026-01-01T00:00:00.000Z')).toStrictEqual(sequence('2027-07-07T07:07:07.777Z'));
});
