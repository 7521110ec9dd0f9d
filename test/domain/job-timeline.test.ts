import { describe, expect, it } from '@jest/globals';
import { fold } from '#domain/decider.js';
import { resolveConstants } from '#domain/job/constants.js';
import { jobDecider } from '#domain/job/decider.js';
import { placeIn, wantedTexts } from '#domain/job/event-matches.js';
import type { JobEvent } from '#domain/job/events.js';
import { JobTimeline } from '#domain/job/timeline.js';
import type { JsonObject } from '#domain/json.js';
import type { RecordedEvent } from '#domain/recorded-event.js';

const STREAM = 'job-long';

const started: JsonObject = {
  ...{ job_seed: 'long', owner: { sub: 'ana', user_id: null }, session_id: null },
  ...{ seeded_epoch: null, goal: 'Count', carried_cwm: null, snapshots: {} },
  constants: { ...resolveConstants() },
};

const recorded = (type: string, data: JsonObject, number: number): RecordedEvent =>
  ({
    stream: STREAM,
    number,
    type,
    data,
    metadata: { schema_version: 1, actor: number % 2 === 0 ? 'Ada' : 'ben' },
  }) as unknown as RecordedEvent;

/** A job that inserts an entry with a value of this size and ticks, again and again. */
const longJob = (rounds: number, characters: number): RecordedEvent[] =>
  [
    ['job_started', started] as const,
    ...Array.from({ length: rounds }, (_, round) => [
      [
        'wm_inserted',
        {
          ...{ wm_id: `wm:long:${round + 1}`, type: 'fact', created_at_tick: round },
          ...{ ttl_ticks: 10_000, value: `${round} `.padEnd(characters, 'x') },
        },
      ] as const,
      ['ticked', { tick: round + 1 }] as const,
    ]).flat(),
  ].map(([type, data], number) => recorded(type, data, number));

function timelineOf(events: readonly RecordedEvent[]): JobTimeline {
  const timeline = new JobTimeline(STREAM);
  for (const event of events) timeline.add(event);
  return timeline;
}

const folded = (
  state: ReturnType<typeof jobDecider.initialState>,
  events: readonly RecordedEvent[],
) => fold(jobDecider, state, events as readonly unknown[] as readonly JobEvent[]);

describe('JobTimeline', () => {
  it('gives checkpoints from which every state is folded, also if the states are too large to keep many', () => {
    for (const [rounds, characters] of [
      [600, 10],
      [1_500, 4_000],
    ] as const) {
      const events = longJob(rounds, characters);
      const timeline = timelineOf(events);
      expect(timeline.size).toBeLessThan(20 * 1024 * 1024);
      for (const number of [0, 1, 255, 256, 700, events.length - 1]) {
        const { state, number: from } = timeline.before(number);
        expect(folded(state, events.slice(from + 1, number + 1))).toStrictEqual(
          folded(jobDecider.initialState(STREAM), events.slice(0, number + 1)),
        );
      }
    }
  });

  it('finds events by type, kind, tick and actor', () => {
    const timeline = timelineOf(longJob(20, 10));
    expect(timeline.ticks().slice(0, 3)).toStrictEqual([2, 4, 6]);
    expect(timeline.matching({ types: ['wm_inserted'], fromTick: 3, toTick: 4 })).toStrictEqual([
      7, 9,
    ]);
    expect(timeline.matching({ kind: 'outcome' })).toStrictEqual([]);
    expect(timeline.matching({ actor: 'aD', toTick: 1 })).toStrictEqual([0, 2]);
    expect(timeline.matching({ actor: 'da' })).toStrictEqual([]);
  });

  it('stops to fold at an event that cannot be read, and goes on to list', () => {
    const events = longJob(3, 10);
    const timeline = timelineOf([
      ...events.slice(0, 3),
      recorded('from_the_future', {}, 3),
      ...events.slice(4),
    ]);
    expect([timeline.break?.number, timeline.version]).toStrictEqual([3, events.length - 1]);
  });
});

describe('wantedTexts', () => {
  it('gives each word, and what stands between quotes as one text', () => {
    expect(wantedTexts('Sky "Deep  Blue" "" sea "open')).toStrictEqual([
      ...['sky', 'deep  blue', 'sea', 'open'],
    ]);
  });
});

describe('placeIn', () => {
  it('gives the matches around an event, whether it is one or not', () => {
    expect(placeIn([2, 5, 9], 5)).toStrictEqual({ count: 3, before: 1, previous: 2, next: 9 });
    expect(placeIn([2, 5, 9], 6)).toStrictEqual({ count: 3, before: 2, previous: 5, next: 9 });
    expect(placeIn([], 0)).toStrictEqual({ count: 0, before: 0, previous: null, next: null });
  });
});
