import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Message } from '../../ui/message';
import type { Conditions, JobRecord, Matches, Timeline } from '../record/job-record';
import { EventRow, RunRow, TickRow } from './event-row';
import { type HistoryRow, rowOf } from './history-rows';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { useEvents } from './use-events';

const ROW_PX = 26;
/** The fewest rows in view before and after the cursor. */
const MARGIN = 2;

interface EventListProps {
  readonly record: JobRecord;
  readonly timeline: Timeline;
  /** The rows of the whole history, which are shown without conditions. */
  readonly history: readonly HistoryRow[];
  readonly toggleRun: (first: number) => void;
  readonly conditions: Conditions | undefined;
  /** With conditions: how many events meet them, and where the cursor is among them. */
  readonly matches: Matches | undefined;
  readonly at: number;
  readonly move: (to: number) => void;
  readonly clock: Clock;
  readonly start: string | undefined;
}

/**
 * The events of the job by tick, with runs of like events folded; or those that meet the conditions, each with its
 * tick. Only the rows in view exist. Without conditions a row shows its type at once, because the timeline has it.
 */
export function EventList(props: EventListProps) {
  const { record, timeline, history, toggleRun, conditions, matches, at, move } = props;
  const { clock, start } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isWhole = conditions === undefined;
  const count = isWhole ? history.length : (matches?.count ?? 0);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  /** The place of the event whose words a row shows: of a run, the event at the cursor, else the first. */
  const placeOf = (index: number): number => {
    const row = history[index];
    if (!isWhole || row === undefined) return index;
    const isHere = row.kind === 'run' && at >= row.number && at <= row.last;
    return isHere && !row.isOpen ? at : Math.max(0, row.number);
  };
  const { version: last } = timeline;
  const eventOf = useEvents(
    { record, conditions, count: isWhole ? last + 1 : count, last },
    shown.map(({ index }) => placeOf(index)),
  );
  const place = isWhole ? rowOf(history, at) : (matches?.before ?? 0);
  const isReady = isWhole || matches !== undefined;
  useEffect(() => {
    const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
    // The cursor stays away from the edges, so that what lies ahead of it is in view.
    const isInside = place > startIndex + MARGIN && place < endIndex - MARGIN;
    if (isReady && place < count && !isInside) rows.scrollToIndex(place, { align: 'center' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- new events alone, which change `count`, do not scroll
  }, [place, isReady, rows]);
  if (isReady && count === 0)
    return (
      <Message title="No event meets this search">Change the search, or show all events.</Message>
    );
  const rowAt = (index: number) => {
    const event = eventOf(placeOf(index));
    const shared = { timeline, at, clock, start, event, choose: move };
    const row = isWhole ? history[index] : undefined;
    if (row?.kind === 'tick') return <TickRow {...shared} row={row} />;
    if (row?.kind === 'run')
      return <RunRow {...shared} row={row} toggle={() => toggleRun(row.number)} />;
    return <EventRow {...shared} number={row?.number ?? event?.number} hasTick={!isWhole} />;
  };
  return (
    <div ref={scroller} className={styles.list} role="region" aria-label="Events" tabIndex={0}>
      <ol className={styles.rows} style={{ blockSize: rows.getTotalSize() }}>
        {shown.map(({ index, start: offset }) => (
          <li
            key={index}
            className={styles.row}
            style={{ transform: `translateY(${offset}px)` }}
            aria-setsize={count}
            aria-posinset={index + 1}
          >
            {rowAt(index)}
          </li>
        ))}
      </ol>
    </div>
  );
}
