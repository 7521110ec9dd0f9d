import type { EventsAsked, EventsPage, JobRecord, Timeline } from './job-record';

/**
 * Returns a record as it was when it ended with an earlier event.
 * @param moment names that state of the record
 * @param lastOf returns the number of that event
 */
export function recordUpTo(
  record: JobRecord,
  moment: string,
  lastOf: (signal: AbortSignal) => Promise<number>,
): JobRecord {
  const events = async (asked: EventsAsked, signal: AbortSignal): Promise<EventsPage> => {
    const last = await lastOf(signal);
    const page = await record.events(asked, signal);
    const shown = page.events.filter(({ number }) => number <= last);
    if (page.matches === undefined) return { events: shown };
    // The service counts the matches before the first later event: these are the matches of the earlier record.
    const { skip: _, ...conditions } = asked;
    const all = await record.events({ ...conditions, from: last + 1, limit: 1 }, signal);
    const { before, previous, next } = page.matches;
    return {
      events: shown,
      matches: {
        ...{ count: all.matches?.before ?? 0, before, previous },
        next: next !== null && next > last ? null : next,
      },
    };
  };
  return {
    ...record,
    id: `${record.id} at ${moment}`,
    events,
    timeline: async (signal) => {
      const [timeline, last] = await Promise.all([record.timeline(signal), lastOf(signal)]);
      return timelineUpTo(timeline, last);
    },
  };
}

function timelineUpTo(timeline: Timeline, last: number): Timeline {
  const { broken_at, ticks, type_of } = timeline;
  return {
    ...timeline,
    version: Math.min(timeline.version, last),
    type_of: type_of.slice(0, last + 1),
    ticks: ticks.filter((number) => number <= last),
    broken_at: broken_at !== null && broken_at > last ? null : broken_at,
  };
}
