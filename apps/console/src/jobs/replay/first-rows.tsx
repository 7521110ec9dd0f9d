import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../ui/loading';
import type { JobRecord, Timeline } from '../record/job-record';
import { eventsQuery } from '../record/use-record';
import { EventRow } from './event-row';
import type { ReplaySearch } from './replay-search';
import styles from './replay.module.css';

/** The events that are shown before and from the cursor on. */
const BEFORE = 10;
const SHOWN = 60;

interface FirstRowsProps {
  readonly record: JobRecord;
  readonly search: ReplaySearch;
}

/** What is there while a long job is being read: the events at the cursor, which the log gives at once. */
export function FirstRows({ record, search }: FirstRowsProps) {
  const { at = Infinity, clock = 'utc' } = search;
  const from = at === Infinity ? 0 : Math.max(0, at - BEFORE);
  const { data } = useQuery(eventsQuery(record, { from, limit: SHOWN }));
  const events = data?.events ?? [];
  const timeline = timelineOf(events, from);
  return (
    <>
      <Loading what="the events" />
      {events.length > 0 && (
        <ol className={styles.firstRows} aria-label="The first events">
          {events.map((event) => (
            <li key={event.number} className={styles.firstRow}>
              <EventRow
                {...{ timeline, at, clock, event, start: undefined }}
                number={event.number}
                choose={() => undefined}
                hasTick={false}
              />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** A timeline that knows the types of these events alone. */
function timelineOf(events: readonly { readonly type: string }[], from: number): Timeline {
  const types = [...new Set(events.map(({ type }) => type))];
  const type_of = [
    ...Array.from({ length: from }, () => -1),
    ...events.map(({ type }) => types.indexOf(type)),
  ];
  return { types, type_of, version: type_of.length - 1, ticks: [], broken_at: null };
}
