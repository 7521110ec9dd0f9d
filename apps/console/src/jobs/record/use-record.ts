import { queryOptions } from '@tanstack/react-query';
import type { Conditions, EventsAsked, JobRecord } from './job-record';

// The events of a job never change, so what was read of them is never stale. Only its end moves.
// A bundle is read without a network.
export const NEVER_STALE = { staleTime: Infinity, gcTime: 60_000, networkMode: 'always' } as const;

export const timelineQuery = (record: JobRecord) =>
  queryOptions({
    queryKey: [record.id, 'timeline'],
    queryFn: ({ signal }) => record.timeline(signal),
    ...NEVER_STALE,
  });

export const stateQuery = (record: JobRecord, number: number) =>
  queryOptions({
    queryKey: [record.id, 'state', number],
    queryFn: ({ signal }) => record.stateAfter(number, signal),
    ...NEVER_STALE,
  });

/** A page of events. `version` is the job's version for a question whose answer changes with new events. */
export const eventsQuery = (record: JobRecord, asked: EventsAsked, version?: number) =>
  queryOptions({
    queryKey: [record.id, 'events', asked, version],
    queryFn: ({ signal }) => record.events(asked, signal),
    ...NEVER_STALE,
  });

export const plainQuery = (record: JobRecord, number: number) =>
  queryOptions({
    queryKey: [record.id, 'plain', number],
    queryFn: ({ signal }) => record.plainEvent(number, signal),
    ...NEVER_STALE,
  });

/** How many events meet the conditions, and which of them are next to the cursor. */
export const matchesQuery = (
  record: JobRecord,
  conditions: Conditions,
  at: number,
  version: number,
) => eventsQuery(record, { ...conditions, from: at, limit: 1 }, version);
