import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decider } from '#domain/decider.js';
import type { JobCommand } from '#domain/job/commands.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import type { JobState } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { bundleHeaderLine, bundleLine, bundleLines } from '#domain/replay/bundle.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { UnreadableEvent } from '#domain/upcast.js';
import { end, episode, insert, item, start, STREAM, tick, use, useItem, wm } from './job-cases.js';
import { chained, recorded } from './replay-recording.js';

const commands: JobCommand[] = [
  start({}, { goal: 'Rome' }),
  insert({ city: 'Rome' }),
  insert('trains', 'hint', 1),
  use(1),
  use(1),
  tick,
  useItem(1),
  episode('booked', { id: 7 }),
  tick,
  insert('Oslo'),
  use(3),
  end,
];
const log = recorded(jobDecider, STREAM, commands);
const replay = (events: readonly RecordedEvent[], mode: 'audit' | 'strict' = 'audit') =>
  replayStream(jobDecider, STREAM, events, mode);

/** The same stream with one event's data changed and the whole chain computed anew. */
const forged = (number: number, change: (event: RecordedEvent) => Partial<RecordedEvent>) => {
  const events = log.map((event) =>
    event.number === number ? { ...event, ...change(event) } : event,
  );
  return chained(events, (index) => {
    const { hash: _, ...metadata } = (events[index] as RecordedEvent).metadata;
    return metadata;
  });
};
const numberOf = (type: string) => log.findIndex((event) => event.type === type);

test('X1 an untouched stream replays identical', async () => {
  const report = await replay(log);
  assert.equal(report.identical, true);
  assert.equal(report.events_checked, log.length);
  assert.equal(report.head_hash, log.at(-1)?.metadata.hash);
  assert.equal(report.owed, 0);
  assert.equal('divergence' in report, false);
});

test('X1 content and state hashes are those of the run, whenever and by whom it was made', async () => {
  const run = { recorded_at: '2031-05-05T05:05:05.555Z', trace_id: 'another' };
  const again = await replay(recorded(jobDecider, STREAM, commands, run));
  const first = await replay(log);
  assert.equal(again.content_hash, first.content_hash);
  assert.equal(again.state_hash, first.state_hash);
  assert.notEqual(again.head_hash, first.head_hash);
});

test('X1 the content hash does not depend on ciphertext, and does on what was sealed', async () => {
  const hashOf = async (jwe: string, type: string) =>
    (
      await replay(
        recorded(jobDecider, STREAM, [
          start(),
          { op: 'wm_insert', type: 'fact', sealed: { jwe, type } },
          use(1),
          end,
        ]),
      )
    ).content_hash;
  assert.equal(await hashOf('e..1.c.t', 'email'), await hashOf('e..2.c.t', 'email'));
  assert.notEqual(await hashOf('e..1.c.t', 'email'), await hashOf('e..1.c.t', 'phone'));
  const open = async (jwe: string) =>
    (
      await replay(
        recorded(jobDecider, STREAM, [start(), insert({ sealed: { jwe, type: 'email' } })]),
      )
    ).content_hash;
  assert.notEqual(await open('1'), await open('2'));
});

test('I6 an event that was changed in place is an INTEGRITY_FAILURE at its number', async () => {
  const broken = log.with(4, {
    ...(log[4] as RecordedEvent),
    data: { wm_id: wm(2), tick: 0 },
  });
  const audit = await replay(broken);
  assert.equal(audit.identical, false);
  assert.equal(audit.code, 'INTEGRITY_FAILURE');
  assert.equal(audit.divergence?.number, 4);
  assert.deepEqual(audit.divergence.actual, { hash: log[4]?.metadata.hash });
  assert.equal(audit.events_checked, log.length);
  const strict = await replay(broken, 'strict');
  assert.equal(strict.events_checked, 5);
  assert.equal(strict.state_hash, null);
});

test('I6 a missing event, a foreign one and one out of place break the chain', async () => {
  const foreign = recorded(jobDecider, STREAM, [start(), insert('b')])[1] as RecordedEvent;
  for (const [events, number] of [
    [log.toSpliced(3, 1), 3],
    [log.with(1, foreign), 1],
    [log.with(3, log[4] as RecordedEvent).with(4, log[3] as RecordedEvent), 3],
    [log.slice(1), 0],
  ] as const) {
    const { code, divergence } = await replay(events);
    assert.deepEqual([code, divergence?.number], ['INTEGRITY_FAILURE', number]);
  }
});

test('X1 an outcome that the rules do not make is a REPLAY_DIVERGENCE with both events', async () => {
  const number = numberOf('promotion_event');
  const { code, divergence } = await replay(
    forged(number, () => ({ data: { wm_id: wm(2), item_id: item(2), tick: 1 } })),
  );
  assert.equal(code, 'REPLAY_DIVERGENCE');
  assert.equal(divergence?.number, number);
  assert.deepEqual((divergence.expected as { data: JsonObject }).data, {
    wm_id: wm(1),
    item_id: item(1),
    tick: 1,
  });
  assert.deepEqual((divergence.actual as { data: JsonObject }).data, {
    wm_id: wm(2),
    item_id: item(2),
    tick: 1,
  });
});

test('X1 forged ids, times, refused inputs and missing outcomes are divergences too', async () => {
  const metadata = (changes: JsonObject) => (event: RecordedEvent) => ({
    metadata: { ...event.metadata, ...changes },
  });
  const cases: [string, RecordedEvent[], number][] = [
    ['id', forged(2, metadata({ event_id: 'other' })), 2],
    ['time', forged(2, metadata({ seeded_ts: '2000-01-01T00:00:00.000Z' })), 2],
    ['refused', forged(3, () => ({ data: { wm_id: wm(9), tick: 0 } })), 3],
    ['counter', forged(1, (event) => ({ data: { ...event.data, wm_id: wm(5) } })), 1],
    ['nonsense', forged(0, () => ({ data: {} })), 0],
    ['cut', log.slice(0, numberOf('promotion_event')), numberOf('promotion_event')],
  ];
  for (const [name, events, number] of cases) {
    const report = await replay(events);
    assert.equal(report.code, 'REPLAY_DIVERGENCE', name);
    assert.equal(report.divergence?.number, number, name);
    assert.equal(report.state_hash, null, name);
  }
  assert.deepEqual(
    (await replay(forged(3, () => ({ data: { wm_id: wm(9), tick: 0 } })))).divergence?.expected,
    { refused: 'NOT_FOUND' },
  );
});

test('J7 a job whose end was cut short is identical so far and tells what it owes', async () => {
  const report = await replay(log.slice(0, -1));
  assert.equal(report.identical, true);
  assert.equal(report.owed, 1);
});

test('X1 an event that this release does not know stops the replay instead of passing', async () => {
  const unknown = forged(2, () => ({ type: 'dreamt' }));
  await assert.rejects(replay(unknown), UnreadableEvent);
  const later = forged(2, (event) => ({ metadata: { ...event.metadata, schema_version: 99 } }));
  await assert.rejects(replay(later), UnreadableEvent);
});

test('X1 data of an older schema version is lifted before it is compared', async () => {
  const { wm_referenced } = jobDecider.schemas;
  const lifting: Decider<JobState, JobCommand, JobEvent> = {
    ...jobDecider,
    schemas: {
      ...jobDecider.schemas,
      wm_referenced: {
        ...wm_referenced,
        version: 2,
        upcast: { 1: ({ entry, ...data }) => ({ ...data, wm_id: entry ?? '' }) },
      },
    },
  };
  const old = log.reduce(
    (events, event) =>
      event.type === 'wm_referenced'
        ? events.with(event.number, {
            ...event,
            data: { entry: event.data.wm_id ?? '', tick: event.data.tick ?? 0 },
          })
        : events,
    log,
  );
  const stream = chained(old, (index) => {
    const { hash: _, ...metadata } = (old[index] as RecordedEvent).metadata;
    return metadata;
  });
  const report = await replayStream(lifting, STREAM, stream, 'strict');
  assert.equal(report.identical, true);
  assert.equal(report.content_hash, (await replay(log)).content_hash);
});

const header = {
  stream: STREAM,
  event_count: log.length,
  head_hash: log.at(-1)?.metadata.hash ?? '',
};
const lines = [bundleHeaderLine(header), ...log.map(bundleLine)];
const findingOf = async (changed: readonly string[]) =>
  (await verifyBundle(jobDecider, changed)).finding;

test('X4 a bundle is its header and each event as byte-exact JCS', async () => {
  const written: string[] = [];
  for await (const line of bundleLines(header, log)) written.push(line);
  assert.deepEqual(written, lines);
  const report = await verifyBundle(jobDecider, lines);
  assert.equal(report.intact, true);
  assert.deepEqual(report.header, header);
  assert.equal(report.replay?.content_hash, (await replay(log)).content_hash);
});

test('X4 a wrong count, head or stream in the first line is named', async () => {
  const withHeader = (changes: Partial<typeof header>) =>
    findingOf(lines.with(0, bundleHeaderLine({ ...header, ...changes })));
  assert.deepEqual(await withHeader({ event_count: 3 }), { problem: 'wrong_count', line: 1 });
  assert.deepEqual(await withHeader({ event_count: 99 }), { problem: 'wrong_count', line: 1 });
  assert.deepEqual(await withHeader({ head_hash: '0'.repeat(64) }), {
    problem: 'wrong_head',
    line: 1,
  });
  assert.deepEqual(await withHeader({ stream: 'job-other' }), { problem: 'wrong_stream', line: 1 });
});

test('X4 what is no bundle is said to be none', async () => {
  const none = { problem: 'not_a_bundle', line: 1 };
  for (const changed of [[], [''], ['not json'], lines.slice(1), ['{}'], [` ${lines[0]}`]])
    assert.deepEqual(await findingOf(changed), none);
});

test('X4 a line that says the same in other bytes is not canonical', async () => {
  const event = lines[3] as string;
  for (const changed of [
    `${event} `,
    `${event}\r`,
    event.replace('{', '{ '),
    event.replace('"number":2', '"number":2.0'),
  ])
    assert.deepEqual(await findingOf(lines.with(3, changed)), {
      problem: 'not_canonical',
      line: 4,
      number: 2,
    });
});

test('X4 a field that no hash covers is an edit', async () => {
  const event = JSON.parse(lines[3] as string) as JsonObject;
  const changed = JSON.stringify({ ...event, zz: 1 });
  assert.deepEqual(await findingOf(lines.with(3, changed)), {
    problem: 'edited',
    line: 4,
    number: 2,
  });
});

test('X4 a bundle whose chain was forged anew still diverges where the rules say otherwise', async () => {
  const number = numberOf('wm_expired');
  const events = forged(number, () => ({ data: { wm_id: wm(1), tick: 1 } }));
  const changed = [
    bundleHeaderLine({ ...header, head_hash: events.at(-1)?.metadata.hash ?? '' }),
    ...events.map(bundleLine),
  ];
  assert.deepEqual(await findingOf(changed), { problem: 'diverged', line: number + 2, number });
});
