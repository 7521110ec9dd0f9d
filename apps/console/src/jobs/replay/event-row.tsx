import { VisibleText } from '../../ui/visible-text';
import type { RecordEvent, Timeline } from '../record/job-record';
import { familyOf } from './event-families';
import { kindOf, wordsOf } from './event-words';
import type { HistoryRow } from './history-rows';
import { KindMark } from './kind-mark';
import { Moment } from './moment';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { tickAt, timeOf, typeAt } from './place-of-event';

const MAX_WORDS = 300;

interface RowProps {
  readonly timeline: Timeline;
  /** The event at the cursor. */
  readonly at: number;
  readonly clock: Clock;
  readonly start: string | undefined;
  /** The event whose words the row shows; undefined while it is on its way. */
  readonly event: RecordEvent | undefined;
  readonly choose: (number: number) => void;
}

/** Arrow keys move the cursor from anywhere, so the rows need no tab stops. */
const rowProps = (isCurrent: boolean, isAhead: boolean) =>
  ({
    type: 'button',
    tabIndex: -1,
    className: styles.rowButton,
    'aria-current': isCurrent ? 'step' : undefined,
    'data-ahead': isAhead,
  }) as const;

const Ahead = () => <span className="visually-hidden">ahead of the cursor</span>;

function Words({ event }: Pick<RowProps, 'event'>) {
  return event !== undefined && <VisibleText text={wordsOf(event).slice(0, MAX_WORDS)} />;
}

interface MarkProps extends Pick<RowProps, 'timeline'> {
  readonly number: number;
}

/** What kind of event it is, and which: behind its content. */
function Mark({ timeline, number }: MarkProps) {
  const type = typeAt(timeline, number);
  return (
    <span className={styles.mark}>
      <span className={styles.swatch} data-family={familyOf(type)} aria-hidden />
      <KindMark kind={kindOf(type)} isShort /> <code>{type}</code>
    </span>
  );
}

const isBroken = ({ broken_at }: Timeline, number: number): boolean =>
  broken_at !== null && number >= broken_at;

interface EventRowProps extends RowProps {
  /** Undefined while a page of matches is on its way. */
  readonly number: number | undefined;
  /** True if no heading says the tick. */
  readonly hasTick: boolean;
}

export function EventRow(props: EventRowProps) {
  const { timeline, at, number, event, choose, clock, start, hasTick } = props;
  if (number === undefined) return <span className={styles.rowButton}>Loading …</span>;
  return (
    <button
      {...rowProps(number === at, number > at)}
      title={timeOf(event)}
      data-event={number}
      onClick={() => choose(number)}
    >
      <span className={styles.words}>
        {isBroken(timeline, number) && '⚠ not proven · '}
        <Words event={event} />
      </span>
      <Mark timeline={timeline} number={number} />
      {hasTick && (
        <span className={styles.when}>
          tick {tickAt(timeline, number).toLocaleString('en')}{' '}
          <Moment at={timeOf(event)} start={start} clock={clock} isShort />
        </span>
      )}
      <span className={styles.number}>{number}</span>
      {number > at && <Ahead />}
    </button>
  );
}

interface TickRowProps extends RowProps {
  readonly row: HistoryRow & { readonly kind: 'tick' };
}

/** The heading of a tick, with the time at which it began. */
export function TickRow({ timeline, at, row, event, choose, clock, start }: TickRowProps) {
  const { number, tick } = row;
  const heading = (
    <>
      <span className={styles.words}>
        {number >= 0 && isBroken(timeline, number) && '⚠ not proven · '}
        Tick {tick.toLocaleString('en')}
      </span>
      {number >= 0 && <Mark timeline={timeline} number={number} />}
      <span className={styles.when}>
        <Moment at={timeOf(event)} start={start} clock={clock} isShort />
      </span>
      {number >= 0 && <span className={styles.number}>{number}</span>}
    </>
  );
  if (number < 0)
    return (
      <span className={styles.rowButton} data-heading>
        {heading}
      </span>
    );
  return (
    <button
      {...rowProps(number === at, number > at)}
      data-heading
      data-event={number}
      onClick={() => choose(number)}
    >
      {heading}
      {number > at && <Ahead />}
    </button>
  );
}

interface RunRowProps extends RowProps {
  readonly row: HistoryRow & { readonly kind: 'run' };
  readonly toggle: () => void;
}

/** A run of like events: how many there are, and what the first says, or the one at the cursor. */
export function RunRow({ timeline, at, row, event, toggle }: RunRowProps) {
  const { number, last, isOpen } = row;
  const isHere = at >= number && at <= last && !isOpen;
  const count = last - number + 1;
  return (
    <button
      {...rowProps(isHere, number > at)}
      data-event={isHere ? at : number}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      <span className={styles.words}>
        <span aria-hidden>{isOpen ? '▾' : '▸'}</span>{' '}
        <strong className={styles.count}>
          {isHere && `${(at - number + 1).toLocaleString('en')} of `}
          {count.toLocaleString('en')} ×
        </strong>{' '}
        {isBroken(timeline, number) && '⚠ not proven · '}
        {!isOpen && <Words event={event} />}
      </span>
      <Mark timeline={timeline} number={number} />
      <span className={styles.number}>
        {number}–{last}
      </span>
      {number > at && <Ahead />}
    </button>
  );
}
