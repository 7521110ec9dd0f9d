import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Message } from '../../ui/message';
import { VisibleText } from '../../ui/visible-text';
import type { Conditions, JobRecord, Matches, RecordEvent, Timeline } from '../record/job-record';
import { eventsQuery } from '../record/use-record';
import { kindOf, wordsOf } from './event-words';
import { KindMark } from './kind-mark';
import { Moment } from './moment';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { tickAt } from './transport-bar';

const PAGE = 100;
const ROW_PX = 34;
const MAX_WORDS = 300;
/** The fewest rows in view before and after the cursor. */
const MARGIN = 2;

interface EventListProps {
  readonly record: JobRecord;
  readonly timeline: Timeline;
  readonly conditions: Conditions | undefined;
  /** With conditions: how many events meet them, and where the cursor is among them. */
  readonly matches: Matches | undefined;
  readonly at: number;
  readonly move: (to: number) => void;
  readonly clock: Clock;
  readonly start: string | undefined;
}

/**
 * The events of the job, or those that meet the conditions. Only the rows in view exist. Without conditions a row
 * shows its number and type at once, because the timeline has them.
 */
export function EventList(props: EventListProps) {
  const { record, timeline, conditions, matches, at, move } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const count = conditions === undefined ? timeline.version + 1 : (matches?.count ?? 0);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const eventOf = usePages(
    { record, timeline, conditions, count },
    shown[0]?.index ?? 0,
    shown.at(-1)?.index ?? 0,
  );
  const rank = conditions === undefined ? at : (matches?.before ?? 0);
  const isReady = conditions === undefined || matches !== undefined;
  useEffect(() => {
    const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
    // The cursor stays away from the edges, so that what lies ahead of it is in view.
    const isInside = rank > startIndex + MARGIN && rank < endIndex - MARGIN;
    if (isReady && rank < count && !isInside) rows.scrollToIndex(rank, { align: 'center' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- new events alone, which change `count`, do not scroll
  }, [rank, isReady, rows]);
  if (isReady && count === 0)
    return (
      <Message title="No event meets these filters">
        Change the filters, or show all events.
      </Message>
    );
  return (
    <div ref={scroller} className={styles.list} role="region" aria-label="Events" tabIndex={0}>
      <ol className={styles.rows} style={{ blockSize: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const event = eventOf(index);
          const number = conditions === undefined ? index : event?.number;
          return (
            <li
              key={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={count}
              aria-posinset={index + 1}
            >
              <EventRow
                {...props}
                number={number}
                event={event}
                isCurrent={number === at}
                choose={move}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

type Listed = Pick<EventListProps, 'record' | 'timeline' | 'conditions'> & {
  readonly count: number;
};

/** Loads the pages of the rows in view, and returns a function that gives the event of a row once it is there. */
function usePages(
  { record, timeline, conditions, count }: Listed,
  first: number,
  last: number,
): (index: number) => RecordEvent | undefined {
  const firstPage = Math.floor(first / PAGE);
  const pages = Array.from(
    { length: Math.floor(last / PAGE) - firstPage + 1 },
    (_, n) => firstPage + n,
  );
  const answers = useQueries({
    queries: pages.map((page) => {
      // The last page of a running job grows, so its length is part of the question.
      const limit = Math.max(1, Math.min(PAGE, count - page * PAGE));
      const from = page * PAGE;
      return conditions === undefined
        ? eventsQuery(record, { from, limit })
        : eventsQuery(record, { ...conditions, skip: from, limit }, timeline.version);
    }),
  });
  return (index) => answers[Math.floor(index / PAGE) - firstPage]?.data?.events[index % PAGE];
}

interface EventRowProps extends Pick<EventListProps, 'timeline' | 'at' | 'clock' | 'start'> {
  /** Undefined while a page of matches is on its way. */
  readonly number: number | undefined;
  readonly event: RecordEvent | undefined;
  readonly isCurrent: boolean;
  readonly choose: (number: number) => void;
}

function EventRow({ timeline, at, number, event, isCurrent, choose, clock, start }: EventRowProps) {
  if (number === undefined) return <span className={styles.rowButton}>Loading …</span>;
  const type = event?.type ?? timeline.types[timeline.type_of[number] ?? -1] ?? '';
  const isBroken = timeline.broken_at !== null && number >= timeline.broken_at;
  return (
    <button
      type="button"
      // Arrow keys move the cursor from anywhere, so the rows need no tab stops.
      tabIndex={-1}
      className={styles.rowButton}
      aria-current={isCurrent ? 'step' : undefined}
      data-ahead={number > at}
      onClick={() => choose(number)}
    >
      <span className={styles.number}>{number}</span>
      <KindMark kind={kindOf(type)} />
      <code className={styles.type}>{type}</code>
      <span className={styles.words}>
        {isBroken && '⚠ not proven · '}
        {event !== undefined && <VisibleText text={wordsOf(event).slice(0, MAX_WORDS)} />}
      </span>
      <span className={styles.when}>
        t{tickAt(timeline, number)}{' '}
        <Moment at={timeOf(event)} start={start} clock={clock} isShort />
      </span>
      {number > at && <span className="visually-hidden">ahead of the cursor</span>}
    </button>
  );
}

/** Returns the wall-clock time at which an event was appended. */
export const timeOf = (event: RecordEvent | undefined): string | undefined => {
  const at = event?.metadata['recorded_at'];
  return typeof at === 'string' ? at : undefined;
};
