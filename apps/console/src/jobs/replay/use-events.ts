import { useQueries } from '@tanstack/react-query';
import type { Conditions, JobRecord, RecordEvent } from '../record/job-record';
import { eventsQuery } from '../record/use-record';

const PAGE = 100;

export interface Listed {
  readonly record: JobRecord;
  readonly conditions: Conditions | undefined;
  /** How many events meet the conditions; without conditions, how many there are. */
  readonly count: number;
  /** The number of the job's last event. */
  readonly last: number;
}

/** The page that has an event, by its place among those that meet the conditions. */
function pageQuery({ record, conditions, count, last }: Listed, page: number) {
  const from = page * PAGE;
  // The last page of a running job grows, so its length is part of the question.
  const limit = Math.max(1, Math.min(PAGE, count - from));
  return conditions === undefined
    ? eventsQuery(record, { from, limit })
    : eventsQuery(record, { ...conditions, skip: from, limit }, last);
}

/** Loads the pages of the events at these places, and returns a function that gives one of them once it is there. */
export function useEvents(
  listed: Listed,
  places: readonly number[],
): (place: number) => RecordEvent | undefined {
  const pages = [...new Set(places.map((place) => Math.floor(place / PAGE)))];
  const answers = useQueries({ queries: pages.map((page) => pageQuery(listed, page)) });
  return (place) => answers[pages.indexOf(Math.floor(place / PAGE))]?.data?.events[place % PAGE];
}
