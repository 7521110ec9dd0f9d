import { expect, test } from '@jest/globals';
import type { Decider } from '#domain/decider.js';
import type { JobCommand, WriteEpisode } from '#domain/job/commands.js';
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
import { ensure } from '#test/support/ensure.js';

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

/** Returns the same stream with the data of one event changed and the whole hash chain recomputed. */
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

test('X1 an unchanged stream replays identically', async () => {
  const report = await replay(log);
  expect(report.identical).toBe(true);
  expect(report.events_checked).toBe(log.length);
  expect(report.head_hash).toBe(log.at(-1)?.metadata.hash);
  expect(report.owed).toBe(0);
  expect('divergence' in report).toBe(false);
});

test('X1 content and state hashes do not depend on the time or the process of the run', async () => {
  const run = { recorded_at: '2031-05-05T05:05:05.555Z', trace_id: 'another' };
  const again = await replay(recorded(jobDecider, STREAM, commands, run));
  const first = await replay(log);
  expect(again.content_hash).toBe(first.content_hash);
  expect(again.state_hash).toBe(first.state_hash);
  expect(again.head_hash).not.toBe(first.head_hash);
});

test('X1 the content hash depends on a sealed value, and not on its ciphertext', async () => {
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
  expect(await hashOf('e..1.c.t', 'email')).toBe(await hashOf('e..2.c.t', 'email'));
  expect(await hashOf('e..1.c.t', 'email')).not.toBe(await hashOf('e..1.c.t', 'phone'));
  const open = async (jwe: string) =>
    (
      await replay(
        recorded(jobDecider, STREAM, [start(), insert({ sealed: { jwe, type: 'email' } })]),
      )
    ).content_hash;
  expect(await open('1')).not.toBe(await open('2'));
});

test('X1 the content hash covers a caller’s JSON that looks like a sealed value, wherever it stands', async () => {
  const lookalike = (jwe: string) => ({ sealed: { jwe, type: 'email' } });
  const places: readonly ((jwe: string) => JobCommand)[] = [
    (jwe) => episode('said', lookalike(jwe)),
    (jwe) => episode('said', { cwm: { items: [lookalike(jwe)] } }),
    (jwe) => ({ ...(episode('said', null) as WriteEpisode), evidence: [lookalike(jwe)] }),
  ];
  for (const place of places) {
    const hashes = await Promise.all(
      ['1', '2'].map(async (jwe) => {
        const events = recorded(jobDecider, STREAM, [start(), place(jwe)]);
        return (await replay(events)).content_hash;
      }),
    );
    expect(hashes[0]).not.toBe(hashes[1]);
  }
});

test('X1 the content hash leaves out the ciphertext in the summary of the CWM', async () => {
  const hashOf = async (jwe: string) => {
    const sealed: JobCommand = { op: 'wm_insert', type: 'fact', sealed: { jwe, type: 'email' } };
    const events = recorded(jobDecider, STREAM, [start(), sealed, use(1), use(1), tick, end]);
    expect(events.at(-1)?.data).toMatchObject({
      payload: { cwm: { items: [{ sealed: { jwe } }] } },
    });
    return (await replay(events)).content_hash;
  };
  expect(await hashOf('e..1.c.t')).toBe(await hashOf('e..2.c.t'));
});

test('I6 an event that was edited is reported as INTEGRITY_FAILURE with its number', async () => {
  const broken = log.with(4, {
    ...(log[4] as RecordedEvent),
    data: { wm_id: wm(2), tick: 0 },
  });
  const audit = await replay(broken);
  expect(audit.identical).toBe(false);
  expect(audit.code).toBe('INTEGRITY_FAILURE');
  ensure(audit.divergence?.number === 4);
  expect(audit.divergence.actual).toStrictEqual({ hash: log[4]?.metadata.hash });
  expect(audit.events_checked).toBe(log.length);
  const strict = await replay(broken, 'strict');
  expect(strict.events_checked).toBe(5);
  expect(strict.state_hash).toBeNull();
});

test('I6 an event that is missing, misplaced or from another stream breaks the chain', async () => {
  const foreign = recorded(jobDecider, STREAM, [start(), insert('b')])[1] as RecordedEvent;
  for (const [events, number] of [
    [log.toSpliced(3, 1), 3],
    [log.with(1, foreign), 1],
    [log.with(3, log[4] as RecordedEvent).with(4, log[3] as RecordedEvent), 3],
    [log.slice(1), 0],
  ] as const) {
    const { code, divergence } = await replay(events);
    expect([code, divergence?.number]).toStrictEqual(['INTEGRITY_FAILURE', number]);
  }
});

test('X1 an outcome that the rules do not produce is reported as REPLAY_DIVERGENCE with the recorded and the expected event', async () => {
  const number = numberOf('promotion_event');
  const { code, divergence } = await replay(
    forged(number, () => ({ data: { wm_id: wm(2), item_id: item(2), tick: 1 } })),
  );
  expect(code).toBe('REPLAY_DIVERGENCE');
  ensure(divergence?.number === number);
  expect((divergence.expected as { data: JsonObject }).data).toStrictEqual({
    wm_id: wm(1),
    item_id: item(1),
    tick: 1,
  });
  expect((divergence.actual as { data: JsonObject }).data).toStrictEqual({
    wm_id: wm(2),
    item_id: item(2),
    tick: 1,
  });
});

test('X1 forged ids and times, refused inputs and missing outcomes are reported as divergences', async () => {
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
    expect([name, report.code]).toStrictEqual([name, 'REPLAY_DIVERGENCE']);
    expect([name, report.divergence?.number]).toStrictEqual([name, number]);
    expect([name, report.state_hash]).toStrictEqual([name, null]);
  }
  expect(
    (await replay(forged(3, () => ({ data: { wm_id: wm(9), tick: 0 } })))).divergence?.expected,
  ).toStrictEqual({ refused: 'NOT_FOUND' });
});

test('J7 a job with an interrupted end replays identically, and the report counts the events that are still to be written', async () => {
  const report = await replay(log.slice(0, -1));
  expect(report.identical).toBe(true);
  expect(report.owed).toBe(1);
});

test('X1 an unknown event stops the replay', async () => {
  const unknown = forged(2, () => ({ type: 'dreamt' }));
  await expect(replay(unknown)).rejects.toThrow(UnreadableEvent);
  const later = forged(2, (event) => ({ metadata: { ...event.metadata, schema_version: 99 } }));
  await expect(replay(later)).rejects.toThrow(UnreadableEvent);
});

test('X1 data of an older schema version is upcast before it is compared', async () => {
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
  expect(report.identical).toBe(true);
  expect(report.content_hash).toBe((await replay(log)).content_hash);
});

const header = {
  stream: STREAM,
  event_count: log.length,
  head_hash: log.at(-1)?.metadata.hash ?? '',
};
const lines = [bundleHeaderLine(header), ...log.map(bundleLine)];
const findingOf = async (changed: readonly string[]) =>
  (await verifyBundle(jobDecider, changed)).finding;

test('X4 a bundle consists of its header and its events, each as canonical JSON (JCS)', async () => {
  const written: string[] = [];
  for await (const line of bundleLines(header, log)) written.push(line);
  expect(written).toStrictEqual(lines);
  const report = await verifyBundle(jobDecider, lines);
  expect(report.intact).toBe(true);
  expect(report.header).toStrictEqual(header);
  expect(report.replay?.content_hash).toBe((await replay(log)).content_hash);
});

test('X4 verify reports a bundle whose first line has a wrong count, head or stream', async () => {
  const withHeader = (changes: Partial<typeof header>) =>
    findingOf(lines.with(0, bundleHeaderLine({ ...header, ...changes })));
  expect(await withHeader({ event_count: 3 })).toStrictEqual({ problem: 'wrong_count', line: 1 });
  expect(await withHeader({ event_count: 99 })).toStrictEqual({ problem: 'wrong_count', line: 1 });
  expect(await withHeader({ head_hash: '0'.repeat(64) })).toStrictEqual({
    problem: 'wrong_head',
    line: 1,
  });
  expect(await withHeader({ stream: 'job-other' })).toStrictEqual({
    problem: 'wrong_stream',
    line: 1,
  });
});

test('X4 verify rejects a file that is not a bundle', async () => {
  const none = { problem: 'not_a_bundle', line: 1 };
  for (const changed of [[], [''], ['not json'], lines.slice(1), ['{}'], [` ${lines[0]}`]])
    expect(await findingOf(changed)).toStrictEqual(none);
});

test('X4 verify reports a line that has the right content but is not canonical JSON', async () => {
  const event = lines[3] as string;
  for (const changed of [
    `${event} `,
    `${event}\r`,
    event.replace('{', '{ '),
    event.replace('"number":2', '"number":2.0'),
  ])
    expect(await findingOf(lines.with(3, changed))).toStrictEqual({
      problem: 'not_canonical',
      line: 4,
      number: 2,
    });
});

test('X4 verify reports a changed field as an edit, even if no hash covers the field', async () => {
  const event = JSON.parse(lines[3] as string) as JsonObject;
  const changed = JSON.stringify({ ...event, zz: 1 });
  expect(await findingOf(lines.with(3, changed))).toStrictEqual({
    problem: 'edited',
    line: 4,
    number: 2,
  });
});

test('X4 verify reports a bundle whose chain was recomputed after an edit, because its events diverge from the rules', async () => {
  const number = numberOf('wm_expired');
  const events = forged(number, () => ({ data: { wm_id: wm(1), tick: 1 } }));
  const changed = [
    bundleHeaderLine({ ...header, head_hash: events.at(-1)?.metadata.hash ?? '' }),
    ...events.map(bundleLine),
  ];
  expect(await findingOf(changed)).toStrictEqual({ problem: 'diverged', line: number + 2, number });
});
